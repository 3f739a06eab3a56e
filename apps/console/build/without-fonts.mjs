/** The console uses the fonts of the viewer's system: those of PatternFly would be a megabyte more, under a licence of their own. */
export const withoutFonts = {
  name: 'without-fonts',
  enforce: 'pre',
  transform: {
    filter: { id: /@patternfly.*\.css$/ },
    handler: (code) => code.replaceAll(/@font-face\s*\{[^}]*\}/g, ''),
  },
};
