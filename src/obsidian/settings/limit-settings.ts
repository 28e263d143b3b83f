/** Settings of limits for requests, of cost, and of how much one call reads. */
import * as t from '#messages/settings-messages';
import type { SettingDefinitionGroup } from 'obsidian';
import { linesProblem, numberRow, type SettingName } from './setting-rows';

export function limitGroups(): SettingDefinitionGroup<SettingName>[] {
  return [
    {
      type: 'group',
      heading: t.requestLimits,
      items: [
        numberRow('stepsPerTurn', t.stepsPerTurn, t.stepsPerTurnDetail),
        numberRow('tokensPerTurn', t.tokensPerTurn, t.tokensPerTurnDetail),
        numberRow('tokenWarning', t.largeMessages, t.largeMessagesDetail, [
          'context',
          'attach',
          'warning',
        ]),
        numberRow('stallSeconds', t.stall, t.stallDetail),
      ],
    },
    {
      type: 'group',
      heading: t.cost,
      items: [
        numberRow('moneyPerTurn', t.costPerTurn, t.costPerTurnDetail, ['money', 'budget', 'price']),
        numberRow('moneyPerDay', t.costPerDay, t.costPerDayDetail, ['money', 'budget', 'price']),
        {
          name: t.showCost,
          desc: t.showCostDetail,
          aliases: ['tokens', 'price', 'money'],
          control: { type: 'toggle', key: 'showCost' },
        },
        {
          name: t.prices,
          desc: t.pricesDetail,
          aliases: ['cost', 'money', 'usage', 'tokens'],
          control: { type: 'textarea', key: 'prices', rows: 3, validate: linesProblem('prices') },
        },
      ],
    },
    {
      type: 'group',
      heading: t.readLimits,
      items: [
        numberRow('readLines', t.linesPerRead, t.linesPerReadDetail),
        numberRow('readCharacters', t.charactersPerRead, t.charactersPerReadDetail),
        numberRow('readLineCharacters', t.charactersPerLine, t.charactersPerLineDetail),
      ],
    },
  ];
}
