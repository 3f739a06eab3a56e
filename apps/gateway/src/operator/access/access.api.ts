import {
  badRequest,
  describeBody,
  errorOfStatus,
  invalid,
  jsonContent,
  notFound,
  schemaRef,
  tooManyRequests,
  unavailable,
  type ApiPart,
  type DescribedOperation,
} from '@opendsr-service/edge';
import { LINK_PATH, CALLBACK_PATH, OPERATOR_ROOT, SIGN_IN_PATH } from '../../versions/operator-paths';
import { forgedCall } from './authenticate-operator';
import { operatorUnknown } from './operator-caller';
import { SignInLink } from './sign-in-link.dto';

const tags = ['Sessions'] as const;

const exampleSession = {
  subject: '8f0c5b1e',
  roles: [
    { role: 'viewer', workspace: null, allows: ['read'] },
    { role: 'officer', workspace: 'acme', allows: ['read', 'decide'] },
  ],
  csrf_token: '3oWCg7yZMbP4u0vY1cJt5qk2rX8sN6hE9aLdVfTzQmI',
  ends_time: '2026-11-21T19:00:00.000Z',
};
const exampleMachine = { ...exampleSession, csrf_token: null, ends_time: null };

const cookieHeader = (description: string, required = true): ApiPart => ({
  'Set-Cookie': { required, schema: { type: 'string' }, description },
});
const session = { content: jsonContent(schemaRef('OperatorSession'), { browser: exampleSession }) };
const begun = { description: 'The session.', headers: cookieHeader('The cookie of the session.'), ...session };
const onward = {
  description: 'A browser that asks for a page (`Accept: text/html`) goes on to the console.',
  headers: {
    ...cookieHeader('The cookie of the session.'),
    Location: { required: true, schema: { type: 'string' }, description: 'The console, on this host.' },
  },
};
/** `sign_in` of the address is what the console says. */
const back = 'goes back to the console, with `sign_in=refused` or `sign_in=away` in its address.';
const onwardOrBack = {
  description: `${onward.description} After a sign-in that did not succeed it ${back}`,
  headers: { ...onward.headers, ...cookieHeader('The cookie of the session.', false) },
};
const ended: ApiPart = {
  description: 'Nothing is left of it.',
  headers: cookieHeader('Removes the cookie of the session.'),
};
const limited = [tooManyRequests(30), unavailable(1)] as const;

export const accessBodies = {
  SignInLink: describeBody({
    type: SignInLink,
    description: 'The link that a sandbox prints at its start.',
    fields: { token: { description: 'What stands behind `#` in the link: its secret.' } },
  }),
};

/** The routes of sessions and their beginning. */
export const accessOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${SIGN_IN_PATH}`]: {
    operationId: 'signIn',
    'x-needs': 'nothing',
    security: [],
    tags,
    summary: 'Begin a sign-in',
    description: 'Sends the browser to the identity provider: authorization code with PKCE.',
    responses: {
      302: {
        description: 'To the identity provider.',
        headers: {
          ...cookieHeader('Ties the sign-in to the browser.'),
          Location: { required: true, schema: { type: 'string', format: 'uri' }, description: 'Its page.' },
        },
      },
      303: {
        description: `Where the provider does not answer, a browser that asks for a page ${back}`,
        headers: { Location: onward.headers.Location },
      },
    },
    errors: [notFound(), ...limited],
  },
  [`GET ${CALLBACK_PATH}`]: {
    operationId: 'finishSignIn',
    'x-needs': 'nothing',
    security: [],
    tags,
    summary: 'Finish a sign-in',
    description: 'Where the identity provider sends the browser back to. A sign-in can be finished once.',
    parameters: [
      { name: 'code', in: 'query', schema: { type: 'string' }, description: 'The authorization code.' },
      { name: 'state', in: 'query', schema: { type: 'string' }, description: 'What the sign-in began with.' },
    ],
    responses: { 200: begun, 303: onwardOrBack },
    errors: [operatorUnknown(), notFound(), ...limited],
  },
  [`POST ${LINK_PATH}`]: {
    operationId: 'useSignInLink',
    'x-needs': 'nothing',
    security: [],
    tags,
    summary: 'Sign in by the link of a sandbox',
    description: 'The link that a sandbox prints at its start. It can be used once.',
    requestBody: {
      required: true,
      content: jsonContent(schemaRef('SignInLink'), { some: { token: '3oWCg7yZMbP4u0vY1cJt5qk2rX8sN6hE9aLdVfTzQmI' } }),
    },
    responses: { 200: begun },
    errors: [
      badRequest([invalid('token must be longer than or equal to 1 and shorter than or equal to 128 characters')]),
      ...[errorOfStatus(413), errorOfStatus(415), operatorUnknown(), notFound(), ...limited],
    ],
  },
  [`GET ${OPERATOR_ROOT}/session`]: {
    operationId: 'readSession',
    'x-needs': 'session',
    tags,
    summary: 'Read who calls',
    description: 'The subject and its roles; of a session also the token that its changes need.',
    responses: {
      200: {
        description: 'Who calls.',
        content: jsonContent(schemaRef('OperatorSession'), { browser: exampleSession, machine: exampleMachine }),
      },
    },
    errors: [operatorUnknown(), ...limited],
  },
  [`DELETE ${OPERATOR_ROOT}/session`]: {
    operationId: 'signOut',
    'x-needs': 'session',
    tags,
    summary: 'Sign out',
    description: 'Ends the session of the caller.',
    responses: { 204: ended },
    errors: [operatorUnknown(), forgedCall(), ...limited],
  },
  [`DELETE ${OPERATOR_ROOT}/sessions`]: {
    operationId: 'signOutEverywhere',
    'x-needs': 'session',
    tags,
    summary: 'Sign out everywhere',
    description: 'Ends all sessions of the caller, in every browser. Tokens of machines end by their own time.',
    responses: { 204: ended },
    errors: [operatorUnknown(), forgedCall(), ...limited],
  },
};
