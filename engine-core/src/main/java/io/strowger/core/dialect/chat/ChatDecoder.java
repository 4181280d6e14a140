package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.MemberTable.members;
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
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.dialect.RequestDraft.uses;
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
import static io.strowger.spi.catalog.Parameter.RESPONSE_FORMAT;
import static io.strowger.spi.catalog.Parameter.SEED;
import static io.strowger.spi.catalog.Parameter.STOP;
import static io.strowger.spi.catalog.Parameter.STRUCTURED_OUTPUTS;
import static io.strowger.spi.catalog.Parameter.TEMPERATURE;
import static io.strowger.spi.catalog.Parameter.TOOL_CHOICE;
import static io.strowger.spi.catalog.Parameter.TOP_A;
import static io.strowger.spi.catalog.Parameter.TOP_K;
import static io.strowger.spi.catalog.Parameter.TOP_LOGPROBS;
import static io.strowger.spi.catalog.Parameter.TOP_P;
import static io.strowger.spi.catalog.Parameter.VERBOSITY;
import static io.strowger.spi.catalog.Parameter.WEB_SEARCH_OPTIONS;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.PluginEntries;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.RequestDraft;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.core.resource.PresetSlug;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;

/**
 * Reads the body of a chat request into an {@link InferenceRequest} and notes every problem in it.
 * Contract: "Chat request body", "Provider preferences", "Plugins", "Limits". Immutable and
 * thread-safe.
 *
 * <p>Unknown members are kept and passed on; only {@code provider} must not have any. Features that
 * this version does not support are checked in {@link
 * io.strowger.core.dialect.UnsupportedFeatures}.
 *
 * @param plugins checks the entries of {@code plugins}
 */
public record ChatDecoder(PluginChecks plugins) {
  /** Token limits fit 31 bits in every dialect. */
  private static final Rule<Long> TOKEN_LIMIT = integer(1, Integer.MAX_VALUE);

  private static final Rule<Json.Obj> PREDICTION_OBJECT =
      members()
          .required("type", wordAmong("content"))
          .required("content", ChatPartRules.TEXT_CONTENT)
          .asJson();

  private static final Rule<Json> STOPS =
      ByJsonType.<Json>of("must be a string or an array of at most 4 strings")
          .string(string())
          .array(items(string(), 0, 4));

  /**
   * {@code route}, deprecated: an object according to the contract's table, one of two words
   * according to the fact sheet.
   */
  private static final Rule<Object> ROUTE =
      ByJsonType.of("must be one of fallback, sort")
          .string(wordAmong("fallback", "sort"))
          .object(object());

  private static final Rule<Json.Obj> SEARCH_OPTIONS =
      members().optional("search_context_size", wordAmong("low", "medium", "high")).asJson();

  private static final List<String> EFFORTS =
      List.of("max", "xhigh", "high", "medium", "low", "minimal", "none");

  private static final Rule<String> EFFORT = wordAmong(EFFORTS);

  private static final Rule<Json.Obj> REASONING_OPTIONS =
      members()
          .optional("effort", EFFORT.orNull())
          .optional("summary", wordAmong("auto", "concise", "detailed").orNull())
          .optional("max_tokens", integer(0, Integer.MAX_VALUE))
          .optional("exclude", bool())
          .optional("enabled", bool())
          .asJson();

  private static final Rule<Json.Obj> SCHEMA =
      members()
          .required("name", text(1, 64))
          .optional("description", string())
          .optional("schema", object())
          .optional("strict", bool().orNull())
          .asJson();

  /**
   * {@code response_format}, read into the mask of the parameters an endpoint needs for it. Chat
   * fact sheet, section 6; routing fact sheet, section 7.
   */
  private static final Rule<Long> FORMAT_RULE =
      Union.<Long>on("type")
          .when("text", requiring(0, members()))
          .when("json_object", requiring(RESPONSE_FORMAT.bit(), members()))
          .when(
              "json_schema",
              requiring(STRUCTURED_OUTPUTS.bit(), members().required("json_schema", SCHEMA)))
          .when(
              "grammar", requiring(RESPONSE_FORMAT.bit(), members().required("grammar", string())))
          .when("python", requiring(RESPONSE_FORMAT.bit(), members()));

  /** The name of a preset. Open question 69. */
  private static final Rule<String> PRESET_SLUG =
      (value, context) -> {
        if (value instanceof Json.Str str && Rules.isName(str) && PresetSlug.isValid(str.text())) {
          return str.text();
        }
        context.reject(PresetSlug.ALLOWED, value);
        return null;
      };

  /**
   * The members of a body. Contract: the table of "Chat request body", in its order, and "Limits";
   * then those only in the fact sheets: chat, section 2, and plugins, sections 5 and 12.
   *
   * <p>A member with {@code uses} makes the request require that parameter of an endpoint; {@code
   * orNull} is the contract's "or null", where null means the same as absent.
   */
  private static final MemberTable<RequestDraft> BODY =
      MemberTable.<RequestDraft>table()
          .required("messages", ChatMessageRules.RULE, RequestDraft::messages)
          .optional("model", name(), RequestDraft::model)
          .optional("models", models(), RequestDraft::models)
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .optional("debug", objectWith("echo_upstream_body", bool()))
          .optional("frequency_penalty", number(-2, 2).orNull(), uses(FREQUENCY_PENALTY))
          .optional("presence_penalty", number(-2, 2).orNull(), uses(PRESENCE_PENALTY))
          .optional("image_config", SharedMembers.IMAGE_CONFIG)
          .optional("logit_bias", map(number(-100, 100)).orNull(), uses(LOGIT_BIAS))
          .optional("logprobs", bool().orNull(), uses(LOGPROBS))
          .optional("top_logprobs", integer(0, 20).orNull(), uses(TOP_LOGPROBS))
          .optional(
              "max_completion_tokens",
              TOKEN_LIMIT.orNull(),
              uses(MAX_COMPLETION_TOKENS, RequestDraft::maxOutputTokens))
          .optional(
              "max_tokens", TOKEN_LIMIT.orNull(), uses(MAX_TOKENS, ChatDecoder::setDeprecatedLimit))
          .optional("metadata", SharedMembers.METADATA)
          .optional("min_p", number(0, 1).orNull(), uses(MIN_P))
          .optional("top_a", number(0, 1).orNull(), uses(TOP_A))
          .optional("top_k", integerAtLeast(0).orNull(), uses(TOP_K))
          .optional("top_p", number(0, 1).orNull(), uses(TOP_P))
          .optional("temperature", number(0, 2).orNull(), uses(TEMPERATURE))
          .optional("repetition_penalty", number(0, 2).orNull(), uses(REPETITION_PENALTY))
          .optional("modalities", items(wordAmong("text", "image", "audio")))
          .optional("parallel_tool_calls", bool().orNull(), uses(PARALLEL_TOOL_CALLS))
          .optional("plugins", PluginEntries.RULE, RequestDraft::plugins)
          .optional("prediction", PREDICTION_OBJECT.orNull(), uses(PREDICTION))
          .optional("prompt_cache_key", string().orNull())
          .optional("prompt_cache_options", SharedMembers.EXPLICIT_CACHE.orNull())
          .optional("provider", ProviderObject.RULE.orNull(), RequestDraft::preferences)
          .optional("reasoning", REASONING_OPTIONS, uses(REASONING))
          .optional("reasoning_effort", EFFORT.orNull(), uses(REASONING_EFFORT))
          .optional("response_format", FORMAT_RULE, RequestDraft::markUsed)
          .optional("route", ROUTE.orNull())
          .optional("seed", integer().orNull(), uses(SEED))
          .optional(
              "service_tier",
              wordAmong("auto", "default", "fast", "flex", "priority", "scale").orNull())
          .optional("session_id", textUpTo(256), RequestDraft::sessionId)
          .optional("stop", STOPS.orNull(), uses(STOP))
          .optional("stop_server_tools_when", SharedMembers.STOP_SERVER_TOOLS_WHEN)
          .optional("stream", bool(), RequestDraft::stream)
          .optional("stream_options", objectWith("include_usage", bool()).orNull())
          .optional("tool_choice", ChatToolRules.CHOICE, uses(TOOL_CHOICE))
          .optional("tools", ChatToolRules.TOOLS, RequestDraft::tools) // uses TOOLS unless empty
          .optional("trace", SharedMembers.TRACE)
          .optional("user", textUpTo(Integer.MAX_VALUE), RequestDraft::user)
          // members that only the fact sheets have
          .optional("include_reasoning", bool(), uses(INCLUDE_REASONING))
          .optional("max_tool_calls", integerAtLeast(1).orNull())
          .optional("n", integerAtLeast(1).orNull())
          .optional("preset", PRESET_SLUG.orNull())
          .optional(
              "verbosity",
              wordAmong("low", "medium", "high", "xhigh", "max").orNull(),
              uses(VERBOSITY))
          .optional("web_search_options", SEARCH_OPTIONS, uses(WEB_SEARCH_OPTIONS))
          .addRule(ChatDecoder::requireEqualEfforts)
          .build();

  /**
   * Decodes a body. Use the result only if no problem was noted.
   *
   * @param problems receives the problems; the caller rejects the request if there are any
   */
  public InferenceRequest decode(Json.Obj body, Problems problems) {
    return decodeToBuilder(body, problems).build();
  }

  /** Decodes a body like {@link #decode}, into a builder that the caller may add to. */
  public InferenceRequest.Builder decodeToBuilder(Json.Obj body, Problems problems) {
    return RequestDraft.decode(Dialect.CHAT, BODY, body, plugins, problems);
  }

  /** Sets the limit from {@code max_tokens} unless {@code max_completion_tokens} is given. */
  private static void setDeprecatedLimit(RequestDraft draft, long tokens) {
    if (!(draft.body().get("max_completion_tokens") instanceof Json.Num)) {
      draft.maxOutputTokens(tokens);
    }
  }

  /**
   * Rejects an effort that differs between the shorthand and the long form. An invalid effort is no
   * conflict, since it is already noted.
   */
  private static void requireEqualEfforts(RequestDraft draft, DecodingContext context) {
    Json.Obj reasoning = draft.body().object("reasoning");
    String effort = reasoning == null ? null : reasoning.text("effort");
    String shorthand = effort == null ? null : draft.body().text("reasoning_effort");
    if (shorthand != null
        && !shorthand.equals(effort)
        && EFFORTS.contains(effort)
        && EFFORTS.contains(shorthand)) {
      context.reject(
          "reasoning_effort",
          "must not differ from reasoning.effort, which is " + effort,
          Json.of(shorthand));
    }
  }

  private static Rule<Json.Obj> objectWith(String member, Rule<?> rule) {
    return members().optional(member, rule).asJson();
  }

  private static Rule<Long> requiring(long parameters, MemberTable.JsonBuilder members) {
    return members.as(format -> parameters);
  }
}
