package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.map;
import static io.strowger.core.decode.Rules.models;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.dialect.chat.ChatDraft.uses;
import static io.strowger.spi.catalog.Parameter.FREQUENCY_PENALTY;
import static io.strowger.spi.catalog.Parameter.INCLUDE_REASONING;
import static io.strowger.spi.catalog.Parameter.LOGIT_BIAS;
import static io.strowger.spi.catalog.Parameter.LOGPROBS;
import static io.strowger.spi.catalog.Parameter.MAX_COMPLETION_TOKENS;
import static io.strowger.spi.catalog.Parameter.MAX_TOKENS;
import static io.strowger.spi.catalog.Parameter.MIN_P;
import static io.strowger.spi.catalog.Parameter.PARALLEL_TOOL_CALLS;
import static io.strowger.spi.catalog.Parameter.PREDICTION;
import static io.strowger.spi.catalog.Parameter.PRESENCE_PENALTY;
import static io.strowger.spi.catalog.Parameter.REASONING;
import static io.strowger.spi.catalog.Parameter.REASONING_EFFORT;
import static io.strowger.spi.catalog.Parameter.REPETITION_PENALTY;
import static io.strowger.spi.catalog.Parameter.SEED;
import static io.strowger.spi.catalog.Parameter.STOP;
import static io.strowger.spi.catalog.Parameter.TEMPERATURE;
import static io.strowger.spi.catalog.Parameter.TOOL_CHOICE;
import static io.strowger.spi.catalog.Parameter.TOP_A;
import static io.strowger.spi.catalog.Parameter.TOP_K;
import static io.strowger.spi.catalog.Parameter.TOP_LOGPROBS;
import static io.strowger.spi.catalog.Parameter.TOP_P;
import static io.strowger.spi.catalog.Parameter.VERBOSITY;
import static io.strowger.spi.catalog.Parameter.WEB_SEARCH_OPTIONS;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.CacheControl;
import io.strowger.core.dialect.ImageConfig;
import io.strowger.core.dialect.MetadataPairs;
import io.strowger.core.dialect.PluginEntries;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.Slug;
import io.strowger.core.dialect.StopConditions;
import io.strowger.core.dialect.Trace;
import io.strowger.spi.json.Json;

/**
 * The members of a chat body. Contract: the table of "Chat request body", in its order, and
 * "Limits"; then what only the fact sheets know: chat, section 2, and plugins, sections 5 and 12.
 *
 * <p>A line with {@code uses} makes the request need that parameter from an endpoint; {@code
 * orNull} is the contract's "or null", which is the same as absent.
 */
final class ChatMembers {
  private static final int SESSION_CHARS = 256;

  /** Token limits fit 31 bits in every dialect. */
  private static final Rule<Long> TOKENS = integer(1, Integer.MAX_VALUE);

  private static final Rule<Json.Obj> PREDICTION_OBJECT =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .required("type", wordAmong("content"))
              .required("content", ChatPartRules.TEXT_CONTENT)
              .build());

  private static final Rule<Json> STOPS =
      ByJsonType.<Json>of("must be a string or an array of at most 4 strings")
          .string(string())
          .array(items(string(), 0, 4));

  /** Deprecated. The contract's table says object, the fact sheet knows two words. */
  private static final Rule<Object> ROUTE =
      ByJsonType.of("must be one of fallback, sort")
          .string(wordAmong("fallback", "sort"))
          .object(object());

  private static final Rule<Json.Obj> SEARCH_OPTIONS =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .optional("search_context_size", wordAmong("low", "medium", "high"))
              .build());

  static final MemberTable<ChatDraft> TABLE =
      MemberTable.<ChatDraft>table()
          .required("messages", ChatMessageRules.RULE, ChatDraft::messages)
          .optional("model", name(), ChatDraft::model)
          .optional("models", models(), ChatDraft::models)
          .optional("cache_control", CacheControl.RULE)
          .optional("debug", with("echo_upstream_body", bool()))
          .optional("frequency_penalty", number(-2, 2).orNull(), uses(FREQUENCY_PENALTY))
          .optional("presence_penalty", number(-2, 2).orNull(), uses(PRESENCE_PENALTY))
          .optional("image_config", ImageConfig.RULE)
          .optional("logit_bias", map(number(-100, 100)).orNull(), uses(LOGIT_BIAS))
          .optional("logprobs", bool().orNull(), uses(LOGPROBS))
          .optional("top_logprobs", integer(0, 20).orNull(), uses(TOP_LOGPROBS))
          .optional(
              "max_completion_tokens",
              TOKENS.orNull(),
              uses(MAX_COMPLETION_TOKENS, ChatDraft::maxCompletionTokens))
          .optional("max_tokens", TOKENS.orNull(), uses(MAX_TOKENS, ChatDraft::maxTokens))
          .optional("metadata", MetadataPairs.RULE)
          .optional("min_p", number(0, 1).orNull(), uses(MIN_P))
          .optional("top_a", number(0, 1).orNull(), uses(TOP_A))
          .optional("top_k", integerAtLeast(0).orNull(), uses(TOP_K))
          .optional("top_p", number(0, 1).orNull(), uses(TOP_P))
          .optional("temperature", number(0, 2).orNull(), uses(TEMPERATURE))
          .optional("repetition_penalty", number(0, 2).orNull(), uses(REPETITION_PENALTY))
          .optional("modalities", items(wordAmong("text", "image", "audio")))
          .optional("parallel_tool_calls", bool().orNull(), uses(PARALLEL_TOOL_CALLS))
          .optional("plugins", PluginEntries.RULE, ChatDraft::plugins)
          .optional("prediction", PREDICTION_OBJECT.orNull(), uses(PREDICTION))
          .optional("prompt_cache_key", string().orNull())
          .optional("prompt_cache_options", CacheControl.EXPLICIT.orNull())
          .optional("provider", ProviderObject.RULE.orNull(), ChatDraft::preferences)
          .optional("reasoning", ChatReasoningRule.RULE, uses(REASONING))
          .optional(
              "reasoning_effort",
              ChatReasoningRule.EFFORT.orNull(),
              uses(REASONING_EFFORT, ChatDraft::effortShorthand))
          .optional("response_format", ResponseFormat.RULE, ChatDraft::parameters)
          .optional("route", ROUTE.orNull())
          .optional("seed", integer().orNull(), uses(SEED))
          .optional(
              "service_tier",
              wordAmong("auto", "default", "fast", "flex", "priority", "scale").orNull())
          .optional("session_id", textUpTo(SESSION_CHARS), ChatDraft::sessionId)
          .optional("stop", STOPS.orNull(), uses(STOP))
          .optional("stop_server_tools_when", StopConditions.RULE)
          .optional("stream", bool(), ChatDraft::stream)
          .optional("stream_options", with("include_usage", bool()).orNull())
          .optional("tool_choice", ChatToolChoiceRule.RULE, uses(TOOL_CHOICE))
          .optional("tools", ChatToolRules.RULE, ChatDraft::tools) // unless empty uses TOOLS
          .optional("trace", Trace.RULE)
          .optional("user", textUpTo(Integer.MAX_VALUE), ChatDraft::user)
          // what only the fact sheets know
          .optional("include_reasoning", bool(), uses(INCLUDE_REASONING))
          .optional("max_tool_calls", integerAtLeast(1).orNull())
          .optional("n", integerAtLeast(1).orNull())
          .optional("preset", Slug.RULE.orNull())
          .optional(
              "verbosity",
              wordAmong("low", "medium", "high", "xhigh", "max").orNull(),
              uses(VERBOSITY))
          .optional("web_search_options", SEARCH_OPTIONS, uses(WEB_SEARCH_OPTIONS))
          .also(ChatReasoningRule::agrees)
          .build();

  private ChatMembers() {}

  private static Rule<Json.Obj> with(String member, Rule<?> rule) {
    return MemberTable.kept(MemberTable.<Json.Obj>table().optional(member, rule).build());
  }
}
