const DIRECTIVE = /^\s*(ox|es)lint-(disable|enable)/;

/**
 * A comment must not switch a rule off: where a rule is wrong it is changed in .oxlintrc.json, for all. A report could be switched off
 * by the comment that it is about, an error cannot.
 */
const noDirectives = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    Program() {
      if (context.sourceCode.getAllComments().some(({ value }) => DIRECTIVE.test(value)))
        throw new Error('A comment must not switch a rule off (own/no-directives).');
    },
  }),
};

const noCurrentDate = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { date: 'Take the time as a parameter, or from the clock (decision 10).' },
  },
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name === 'Date' && node.arguments.length === 0) context.report({ node, messageId: 'date' });
    },
  }),
};

/** Rules of this repository for oxlint. */
export default {
  meta: { name: 'own' },
  rules: { 'no-directives': noDirectives, 'no-current-date': noCurrentDate },
};
