import type { Attestation, AttestationContent, AttestedErasure, AttestedParticipant } from '@opendsr-service/client';
import { line } from '../callbacks/callback-lines';

/** What an attestation says, in plain words. */
export function attestationLines({ attestation, digest, signedBy, logged }: AttestationContent): string[] {
  const { requestType, requestId, controllerId, workspace, interfaceVersion, regulation } = attestation;
  return [
    line('request', `${requestId}, ${requestType}, version ${interfaceVersion}`),
    line('controller', `${controllerId}, workspace ${workspace}`),
    line('regulation', regulation ?? 'none was named'),
    ...courseLines(attestation),
    ...attestation.participants.map((participant) => line('participant', shareOf(participant))),
    ...erasureLines(attestation),
    line('statement', statementOf(attestation)),
    line('digest', digest),
    line('signed by', signedBy),
    ...(logged ? [line('logged', `${logged.at}, leaf ${logged.index}`)] : []),
  ];
}

const courseLines = ({ receivedAt, startedAt, outcome, endedAt, ...legal }: Attestation): string[] => [
  line('received', receivedAt),
  line('started', startedAt ?? 'never'),
  line(outcome, endedAt),
  line('legal date', legalDateOf(legal)),
];

type Legal = Pick<Attestation, 'legalDueAt' | 'legalDateKept' | 'extension'>;

function legalDateOf({ legalDueAt, legalDateKept, extension }: Legal): string {
  if (legalDueAt === undefined) return 'none is known';
  return [
    legalDueAt,
    ...(extension ? [`extended to ${extension.extendedUntil} on ${extension.decidedAt}`] : []),
    ...(legalDateKept === undefined ? [] : [legalDateKept ? 'kept' : 'NOT kept']),
  ].join(', ');
}

const shareOf = ({ name, domain, status, reportedAt, waivedBy }: AttestedParticipant): string =>
  [
    `${name}${domain === undefined ? '' : ` (${domain})`} ${status}`,
    reportedAt,
    ...(waivedBy === undefined ? [] : [`waived by ${waivedBy}`]),
  ].join(', ');

const COUNTED = ['profiles', 'batches', 'archives', 'keys'] as const;

function erasureLines({ destroyed, erasure }: Attestation): string[] {
  const counts = COUNTED.flatMap((what) => (destroyed?.[what] === undefined ? [] : [`${destroyed[what]} ${what}`]));
  return [
    ...(destroyed ? [line('destroyed', counts.join(', ') || 'nothing is counted')] : []),
    ...(destroyed?.tombstones ?? []).map((id) => line('tombstone', id)),
    ...(destroyed?.unnamedTombstones ? [line('tombstones', `${destroyed.unnamedTombstones} more are not named`)] : []),
    ...(erasure ? stageLines(erasure) : []),
  ];
}

const stageLines = ({ secondPass, generation, generationDestroyedAt, backups }: AttestedErasure): string[] => [
  line('second pass', secondPass ? 'done' : 'not done'),
  ...(generation === undefined
    ? []
    : [
        line(
          'generation',
          `${generation}, ${generationDestroyedAt ? `destroyed ${generationDestroyedAt}` : 'not destroyed yet'}`,
        ),
      ]),
  ...(backups === undefined ? [] : [line('backups', backups)]),
];

const statementOf = ({ statement, previous }: Attestation): string =>
  statement === 1 ? 'first' : `second, after ${previous ?? 'one that is not named'}`;
