// Plain JavaScript, because an old Node.js cannot load TypeScript. The npm scripts load this first.
// npm installs Node.js 24 into node_modules, unless install scripts are disabled (ignore-scripts).

const oldest = [24, 2];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(
    `Kilim needs Node.js ${oldest.join('.')} or newer, and this is ${process.versions.node} (${process.execPath}). ` +
      'npm installs it when it may run install scripts: npm rebuild node --ignore-scripts=false\n',
  );
  process.exit(1);
}
