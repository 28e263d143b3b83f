/** One scene of the gallery, by the page's address: `?scene=plan&theme=dark`. Without a scene, links to all. */
import { chatMounter } from '#components/mount.ts';
import { pageUi } from './page-ui';
import { SCENES } from './scenes';
import { scriptedAgent } from './scripted-agent';

const query = new URLSearchParams(location.search);
const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
document.body.classList.add(`theme-${theme}`);
const gallery = document.getElementById('gallery');
const scene = SCENES[query.get('scene') ?? ''];

if (gallery && scene) {
  const {
    scripts,
    entries = [],
    problems = [],
    connection,
    reviewed = {},
    usage = [],
    place,
    ...more
  } = scene();
  const agent = scriptedAgent(scripts, {
    entries,
    reviewed,
    usage,
    ...(connection ? { connection } : {}),
  });
  agent.problems.push(...problems);
  const { key = true, told, widgets } = more;
  const ui = pageUi({ key, ...(told ? { told } : {}) });
  const mounter = chatMounter(agent, ui, Promise.resolve(), () => undefined);
  if (widgets) {
    gallery.className = 'note';
    for (const widget of widgets) {
      const line = document.createElement('p');
      line.textContent = 'A line of the note that stays as it is.';
      gallery.append(line);
      mounter.mountEdit(gallery, widget);
    }
  } else {
    const chat = mounter.mount(gallery);
    if (typeof place === 'string') void chat.run({ do: `show-${place}` });
    else if (place) void chat.run({ do: 'show-history-of', note: place.note });
  }
} else if (gallery) {
  for (const name of Object.keys(SCENES)) {
    const link = document.createElement('a');
    link.href = `?scene=${name}&theme=${theme}`;
    link.textContent = name;
    const line = document.createElement('p');
    line.append(link);
    gallery.append(line);
  }
}
