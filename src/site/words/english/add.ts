export const add = {
  title: 'Add a Loops server',
  description: 'Have a server of Loops visited, so that the directory lists it.',
  lead: 'Enter the domain of a server. The crawler visits it at once; if it runs Loops, it is listed, and otherwise the page of the domain says why not.',
  label: 'Domain of the server',
  button: 'Add',
  addDomain: (domain: string) => `Add ${domain}`,
  off: 'Visitors cannot add servers here. To have one added, write to:',
  limited: 'You have asked for as many visits and checks as one address may within an hour.',
  optedOut: 'This domain cannot be added here.',
  checkInstead: 'To see first what is wrong with a server, and how to cure it:',
};
