// Asks a gateway with the client libraries that vendors publish for JavaScript. Usage: node clients.mjs BASE_URL KEY
// Each line of the input is a request {"dialect", "model", "stream", "more"};
// each line of the output is the answer as the library reads it.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { createInterface } from 'node:readline';

const [base, key] = process.argv.slice(2);
const settings = { apiKey: key, maxRetries: 0, timeout: 20_000 };
const openai = new OpenAI({ ...settings, baseURL: base });
const anthropic = new Anthropic({ ...settings, baseURL: base.replace(/\/v1$/, '') });
const messages = [{ role: 'user', content: 'Hello?' }];
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const text = (parts, member) => parts.map((part) => part[member] ?? '').join('');
const call = (id, name, input) => ({ id, name, input });

const dialects = {
  async chat({ model, stream, more }) {
    const tools = [{ type: 'function', function: { name: 'weather', parameters } }];
    const body = { model, messages, tools, ...more };
    let answer;
    let reasoning = '';
    if (stream) {
      const pieces = openai.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
      pieces.on('chunk', (chunk) => (reasoning += chunk.choices[0]?.delta.reasoning ?? ''));
      answer = await pieces.finalChatCompletion();
    } else {
      answer = await openai.chat.completions.create(body);
      reasoning = answer.choices[0].message.reasoning ?? '';
    }
    const { message, finish_reason } = answer.choices[0];
    return {
      text: message.content ?? '',
      refusal: message.refusal ?? '',
      reasoning,
      calls: (message.tool_calls ?? []).map((one) => call(one.id, one.function.name, JSON.parse(one.function.arguments))),
      stop: finish_reason,
      tokens: [answer.usage.prompt_tokens, answer.usage.completion_tokens],
    };
  },

  async messages({ model, stream, more }) {
    const tools = [{ name: 'weather', input_schema: parameters }];
    const body = { model, messages, tools, max_tokens: 2048, ...more };
    const answer = stream ? await anthropic.messages.stream(body).finalMessage() : await anthropic.messages.create(body);
    const blocks = (type) => answer.content.filter((block) => block.type === type);
    return {
      text: text(blocks('text'), 'text'),
      refusal: answer.stop_details?.explanation ?? '',
      reasoning: text(blocks('thinking'), 'thinking'),
      calls: blocks('tool_use').map((block) => call(block.id, block.name, block.input)),
      stop: answer.stop_reason,
      tokens: [answer.usage.input_tokens, answer.usage.output_tokens],
    };
  },

  async responses({ model, stream, more }) {
    const tools = [{ type: 'function', name: 'weather', parameters, strict: false }];
    const body = { model, input: 'Hello?', tools, store: false, ...more };
    const answer = stream ? await openai.responses.stream(body).finalResponse() : await openai.responses.create(body);
    const items = (type) => answer.output.filter((item) => item.type === type);
    const parts = items('message').flatMap((item) => item.content);
    const thoughts = items('reasoning').flatMap((item) => [...item.summary, ...(item.content ?? [])]);
    return {
      text: text(parts, 'text'),
      refusal: text(parts, 'refusal'),
      reasoning: text(thoughts, 'text'),
      calls: items('function_call').map((item) => call(item.call_id, item.name, JSON.parse(item.arguments))),
      stop: answer.incomplete_details?.reason ?? answer.status,
      tokens: [answer.usage?.input_tokens ?? 0, answer.usage?.output_tokens ?? 0],
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = await dialects[request.dialect](request);
  } catch (error) {
    answer = { error: error.constructor.name, status: error.status ?? 0, message: error.message };
  }
  console.log(JSON.stringify(answer));
}
