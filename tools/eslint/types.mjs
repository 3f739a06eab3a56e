import ts from 'typescript';

/** What no file is to blame for, by program: it is reported at the first of its files. */
const reported = new WeakSet();

const isFault = ({ category, reportsUnnecessary }) =>
  category === ts.DiagnosticCategory.Error && reportsUnnecessary === undefined;

/**
 * Reports what the compiler says of a file. The program of the rules that know types has checked most of it, so that this takes a
 * part of the time of a compiler beside it.
 */
export const types = {
  meta: { type: 'problem', schema: [], messages: { fault: 'TS{{code}}: {{text}}' } },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    return {
      Program(node) {
        const file = esTreeNodeToTSNodeMap.get(node);
        const ofAll = reported.has(program)
          ? []
          : [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
        reported.add(program);
        for (const fault of [
          ...ofAll,
          ...program.getSyntacticDiagnostics(file),
          ...program.getSemanticDiagnostics(file),
        ]) {
          if (!isFault(fault)) continue;
          const index = fault.file === file ? (fault.start ?? 0) : 0;
          const data = { code: String(fault.code), text: ts.flattenDiagnosticMessageText(fault.messageText, '\n') };
          context.report({ loc: context.sourceCode.getLocFromIndex(index), messageId: 'fault', data });
        }
      },
    };
  },
};
