// Jest's environment for Node, in processes whose children end with them, however a run of specs is broken off.
const { dirname } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
const { guardChildren } = require('./guard.mjs');

guardChildren(dirname(__dirname));

module.exports = TestEnvironment;
