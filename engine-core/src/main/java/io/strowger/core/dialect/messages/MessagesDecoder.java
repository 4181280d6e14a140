package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.models;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.dialect.RequestDraft.uses;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.PluginEntries;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.RequestDraft;
import io.strowger.core.dialect.ServerTools;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;

/**
 * Reads the body of a messages request into an {@link InferenceRequest} and notes every problem in
 * it. Contract: "POST /messages", "Limits"; messages fact sheet, sections 1 and 2. Immutable and
 * thread-safe.
 *
 * <p>Unknown members, blocks and tools are kept and passed on; only {@code provider} and the
 * entries of {@code fallbacks} must not have any. {@code max_tool_calls} has the same rule as on
 * the other paths (open question 11); values above 30 are capped where tools are run.
 *
 * @param plugins checks the entries of {@code plugins}
 */
public record MessagesDecoder(PluginChecks plugins) {
  private static final int MIN_THINKING_TOKENS = 1024;
  private static final Rule<Long> TOKEN_LIMIT = integer(1, Integer.MAX_VALUE);

  private static final Rule<String> FALLBACK =
      members()
          .required("model", name())
          .closed("is not allowed here: a fallback has the member model only")
          .as(fallback -> RequiredMember.text(fallback, "model"));

  private static final Rule<Json.Obj> METADATA =
      members().optional("user_id", string().orNull()).asJson();

  private static final Rule<Json.Obj> FORMAT =
      members().required("type", wordAmong("json_schema")).required("schema", object()).asJson();

  private static final Rule<Json.Obj> TASK_BUDGET =
      members()
          .required("type", wordAmong("tokens"))
          .required("total", integerAtLeast(20_000))
          .optional("remaining", integerAtLeast(0).orNull())
          .asJson();

  private static final Rule<Json.Obj> OUTPUT_CONFIG =
      members()
          .optional("effort", wordAmong("low", "medium", "high", "xhigh", "max").orNull())
          .optional("format", FORMAT.orNull())
          .optional("task_budget", TASK_BUDGET.orNull())
          .asJson();

  private static final Rule<String> DISPLAY = wordAmong("summarized", "omitted").orNull();

  private static final Rule<Json.Obj> THINKING =
      Union.<Json.Obj>on("type")
          .when(
              "enabled",
              members()
                  .required("budget_tokens", integerAtLeast(MIN_THINKING_TOKENS))
                  .optional("display", DISPLAY)
                  .asJson())
          .when("adaptive", members().optional("display", DISPLAY).asJson())
          .when("disabled", members().asJson());

  private static final MemberTable<RequestDraft> BODY =
      MemberTable.<RequestDraft>table()
          .optional("fallbacks", list(FALLBACK, 0, 3).orNull(), RequestDraft::models)
          .optional("speed", wordAmong("fast", "standard").orNull())
          .optional("stop_server_tools_when", SharedMembers.STOP_SERVER_TOOLS_WHEN)
          .optional("max_tool_calls", integerAtLeast(1).orNull())
          .optional("output_config", OUTPUT_CONFIG, MessagesDecoder::markOutputConfig)
          .optional("trace", SharedMembers.TRACE)
          .required("model", name(), RequestDraft::model)
          .required(
              "messages",
              list(MessageTurnRules.MESSAGE, 1, Integer.MAX_VALUE),
              RequestDraft::messages)
          .optional(
              "max_tokens", TOKEN_LIMIT, uses(Parameter.MAX_TOKENS, RequestDraft::maxOutputTokens))
          .optional("system", MessageTurnRules.INSTRUCTIONS, RequestDraft::instructions)
          .optional("models", models(), RequestDraft::models)
          .optional("stop_sequences", items(string()), uses(Parameter.STOP))
          .optional("temperature", number(0, 1), uses(Parameter.TEMPERATURE))
          .optional("top_p", number(), uses(Parameter.TOP_P))
          .optional("top_k", integer(), uses(Parameter.TOP_K))
          .optional("stream", bool(), RequestDraft::stream)
          .optional("thinking", THINKING, uses(Parameter.REASONING))
          .optional("tool_choice", MessagesTools.CHOICE, MessagesDecoder::markToolChoice)
          .optional("tools", MessagesTools.TOOLS, RequestDraft::tools)
          .optional("metadata", METADATA)
          .optional("service_tier", string())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .optional("context_management", ContextManagement.RULE.orNull())
          .optional("plugins", PluginEntries.RULE, RequestDraft::plugins)
          .optional("provider", ProviderObject.RULE.orNull(), RequestDraft::preferences)
          .optional("route", wordAmong("fallback", "sort").orNull())
          .optional("session_id", textUpTo(256), RequestDraft::sessionId)
          .optional("user", textUpTo(256), RequestDraft::user)
          .addRule(MessagesDecoder::rejectBothModelLists)
          .addRule(MessagesDecoder::requireThinkingFits)
          .addRule((draft, context) -> ServerTools.rejectForcedToolChoice(draft.body(), context))
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
    return RequestDraft.decode(Dialect.MESSAGES, BODY, body, plugins, problems);
  }

  private static void markToolChoice(RequestDraft draft, Json.Obj choice) {
    draft.markUsed(Parameter.TOOL_CHOICE);
    if (Json.TRUE.equals(choice.get("disable_parallel_tool_use"))) {
      draft.markUsed(Parameter.PARALLEL_TOOL_CALLS);
    }
  }

  private static void markOutputConfig(RequestDraft draft, Json.Obj config) {
    if (config.object("format") != null) {
      draft.markUsed(Parameter.STRUCTURED_OUTPUTS);
    }
    if (config.text("effort") != null) {
      draft.markUsed(Parameter.REASONING_EFFORT);
    }
  }

  /** Rejects {@code fallbacks} beside {@code models}, which has the same meaning. */
  private static void rejectBothModelLists(RequestDraft draft, DecodingContext context) {
    Json.Arr fallbacks = draft.body().list("fallbacks");
    if (fallbacks != null
        && draft.body().has("models")
        && !hasProblem("fallbacks", context)
        && !hasProblem("models", context)) {
      context.reject("fallbacks", "must not be given together with models", fallbacks);
    }
  }

  private static boolean hasProblem(String member, DecodingContext context) {
    return context.problems().hasProblemUnder(context.pointer().child(member));
  }

  /** Rejects a thinking budget that leaves no room in the output limit for an answer. */
  private static void requireThinkingFits(RequestDraft draft, DecodingContext context) {
    Json.Obj thinking = draft.body().object("thinking");
    int limit = draft.maxOutputTokens();
    if (thinking == null || limit == 0 || !"enabled".equals(thinking.text("type"))) {
      return;
    }
    long budget = thinking.longValue("budget_tokens", 0);
    if (budget >= MIN_THINKING_TOKENS && budget >= limit) {
      context.enter("thinking");
      context.reject(
          "budget_tokens", "must be less than max_tokens, which is " + limit, Json.of(budget));
      context.leave();
    }
  }

  /**
   * Returns whether the contract lists this type of block for requests or answers. Messages fact
   * sheet, sections 2 and 3.
   */
  public static boolean isKnownBlockType(String type) {
    return ContentBlockRules.isKnown(type);
  }
}
