import { texts } from '../../language/texts';

export const requestTexts = texts(
  {
    title: (type: string) => `Request: ${type}`,
    facts: 'Facts',
    columns: {
      id: 'Id',
      workspace: 'Workspace',
      controller: 'Controller',
      regulation: 'Law',
      version: 'Interface',
      group: 'Requests of its group',
      key: 'Key',
    },
    keys: { alive: 'exists', destroyed: 'destroyed', lost: 'lost' },
  },
  {
    title: (type) => `Anfrage: ${type}`,
    facts: 'Angaben',
    columns: {
      id: 'Kennung',
      workspace: 'Arbeitsbereich',
      controller: 'Verantwortlicher',
      regulation: 'Gesetz',
      version: 'Schnittstelle',
      group: 'Anfragen ihrer Gruppe',
      key: 'Schlüssel',
    },
    keys: { alive: 'vorhanden', destroyed: 'vernichtet', lost: 'verloren' },
  },
);
