import { texts } from '../language/texts';

export const unavailableTexts = texts(
  {
    title: 'A part is missing',
    help: (services: string) => `No answer came from: ${services}. The page System shows how it is.`,
  },
  {
    title: 'Ein Teil fehlt',
    help: (services) => `Keine Antwort kam von: ${services}. Die Seite System zeigt, wie es darum steht.`,
  },
);
