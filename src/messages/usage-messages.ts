/** Text of usage and cost. */
import { counted } from './plural';

export const modelCall = 'Model call';
export const tokens = 'Tokens';
export const cached = 'Cached';
export const cost = 'Cost';
export const total = 'Total';
export const costs = 'Tokens and cost by model call';
export const costEstimated = 'Estimated from current prices';
export const costUnknown = 'The price of this model is unknown.';
export const usageByDay = 'Usage by day';
export const unreadable = 'The usage data could not be read.';
export const usage = 'Usage';
export const tableLabel = 'Tokens and cost by day and model';
export const days = 'Period';
export const lastDays = (days: number) => `Last ${days} days`;
export const shownValue = 'Show';
export const noUsage = 'No usage in this period';
export const aboutCost = (cost: string) => `About ${cost}`;
export const day = 'Day';
export const model = 'Model';
export const authoritative = 'Costs are estimates. Your provider’s bill is authoritative.';
export const chartText = (
  total: string,
  first: string,
  last: string,
  highestDay: string,
  highest: string,
) =>
  `${total} from ${first} to ${last}, most on ${highestDay}: ${highest}. The table below lists every day.`;
export const emptyChart = 'No data';
export const tokenCount = (tokens: string) => `${tokens} tokens`;
export const cachedShare = (percent: number) => `${percent}% cached`;
export const retriedCall = (call: number) => `${call}, retried`;
export const answerCall = (call: number) => `${call}, answer`;
/** @param tool for example "web search" */
export const toolCall = (call: number, tool: string) => `${call}, ${tool}`;
export const summary = 'Summary';

export const unpricedCalls = (count: number) =>
  counted(
    count,
    'call to a model with an unknown price is not included in the cost.',
    'calls to models with unknown prices are not included in the cost.',
  );
export const usageNotKept = (why: string) => usageProblem('could not be kept', why);
export const usageNotRead = (why: string) => usageProblem('could not be read', why);
const usageProblem = (what: string, why: string) =>
  `What models use up ${what}, so the day's limit of money may count too little. ${why}`;
