import { texts } from '../language/texts';

export const unavailableTexts = texts({
  title: ['A part is missing', 'Ein Teil fehlt'],
  help: [
    (services: string) => `No answer came from: ${services}. The page System shows how it is.`,
    (services: string) => `Keine Antwort kam von: ${services}. Die Seite System zeigt, wie es darum steht.`,
  ],
});
