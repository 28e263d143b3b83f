/** Notifications of the operating system, for whoever has another window in front. */
export interface DesktopNotification {
  readonly title: string;
  readonly body: string;
  /** The user clicked on it; Obsidian is in front by then. */
  clicked(): void;
}

/** Shows it, unless the user looks at Obsidian, in whatever of its windows. */
export function notifyIfAway({ title, body, clicked }: DesktopNotification): void {
  const own = activeWindow as Window & { Notification?: typeof Notification };
  if (activeDocument.hasFocus() || !own.Notification) return;
  const shown = new own.Notification(title, { body });
  shown.onclick = () => {
    own.focus();
    clicked();
  };
}
