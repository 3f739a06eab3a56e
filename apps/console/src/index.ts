/** The face of the console for tools: its pages and languages as data. */
export { languages, type Language } from './language/languages';
export { routes, type Route, type RouteName } from './routes';
