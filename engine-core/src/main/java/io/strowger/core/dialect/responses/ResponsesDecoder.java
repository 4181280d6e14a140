package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.models;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.dialect.RequestDraft.uses;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
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
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * Reads the body of a responses request into an {@link InferenceRequest} and notes every problem in
 * it. Responses fact sheet, "Request"; contract: "Provider preferences", "Plugins", "Limits".
 * Immutable and thread-safe.
 *
 * <p>No response is stored. Therefore {@code store} must be false or absent, {@code
 * previous_response_id} null or absent, and {@code background} false, null or absent. {@code input}
 * is required: a string that is not empty, or at least one item. {@code max_tool_calls} above 30 is
 * accepted and capped where tools are run. Unknown members are kept and passed on; only {@code
 * provider} must not have any.
 *
 * @param plugins checks the entries of {@code plugins}
 */
public record ResponsesDecoder(PluginChecks plugins) {
  private static final Rule<Json.Obj> PROMPT =
      members().required("id", string()).optional("variables", object().orNull()).asJson();

  private static final Rule<Json.Obj> DEBUG =
      members().optional("echo_upstream_body", bool()).asJson();

  private static final Rule<String> INCLUDE =
      wordAmong(
          "reasoning.encrypted_content",
          "file_search_call.results",
          "message.input_image.image_url",
          "computer_call_output.output.image_url",
          "code_interpreter_call.outputs");

  private static final Rule<Json.Obj> JSON_SCHEMA =
      members()
          .required("name", text(1, 64))
          .required("schema", object())
          .optional("strict", bool().orNull())
          .optional("description", string())
          .asJson();

  private static final Union<Json.Obj> FORMAT =
      Union.<Json.Obj>on("type")
          .when("text", object())
          .when("json_object", object())
          .when("json_schema", JSON_SCHEMA);

  /**
   * {@code text}: the format of the answer, with a flat JSON schema. The maximum length of a
   * schema's name is the one in the chat fact sheet, section 6.
   */
  private static final Rule<Json.Obj> TEXT =
      members()
          .optional("format", FORMAT)
          .optional("verbosity", wordAmong("low", "medium", "high", "xhigh", "max").orNull())
          .asJson();

  /**
   * {@code reasoning}. The efforts, and that effort and summary may be null, are from the chat fact
   * sheet, section 2.
   */
  private static final Rule<Json.Obj> REASONING =
      members()
          .optional(
              "effort",
              wordAmong("max", "xhigh", "high", "medium", "low", "minimal", "none").orNull())
          .optional("summary", wordAmong("auto", "concise", "detailed").orNull())
          .optional("mode", wordAmong("standard", "pro"))
          .optional("context", wordAmong("auto", "all_turns", "current_turn"))
          .optional("enabled", bool().orNull())
          .optional("max_tokens", integer(0, Integer.MAX_VALUE).orNull())
          .asJson();

  private static final MemberTable<RequestDraft> BODY =
      MemberTable.<RequestDraft>table()
          .optional("store", ResponsesDecoder::requireNotStored)
          .optional("previous_response_id", ResponsesDecoder::requireNoPreviousResponse)
          .required("input", InputItems.RULE, RequestDraft::messages)
          .optional("instructions", string().orNull(), ResponsesDecoder::setInstructions)
          .optional("model", name(), RequestDraft::model)
          .optional("models", models(), RequestDraft::models)
          .optional(
              "max_output_tokens",
              integer(1, Integer.MAX_VALUE).orNull(),
              uses(Parameter.MAX_COMPLETION_TOKENS, RequestDraft::maxOutputTokens))
          .optional("max_tool_calls", integerAtLeast(1).orNull())
          .optional("temperature", number(0, 2).orNull(), uses(Parameter.TEMPERATURE))
          .optional("top_p", number(0, 1).orNull(), uses(Parameter.TOP_P))
          .optional("frequency_penalty", number(-2, 2).orNull(), uses(Parameter.FREQUENCY_PENALTY))
          .optional("presence_penalty", number(-2, 2).orNull(), uses(Parameter.PRESENCE_PENALTY))
          .optional("top_k", integerAtLeast(0), uses(Parameter.TOP_K))
          .optional("top_logprobs", integer(0, 20).orNull(), uses(Parameter.TOP_LOGPROBS))
          .optional("tools", ResponsesTools.RULE, RequestDraft::tools)
          .optional("tool_choice", ResponsesToolChoiceRule.RULE, uses(Parameter.TOOL_CHOICE))
          .optional("parallel_tool_calls", bool().orNull(), uses(Parameter.PARALLEL_TOOL_CALLS))
          .optional("text", TEXT, ResponsesDecoder::markTextOptions)
          .optional("reasoning", REASONING.orNull(), uses(Parameter.REASONING))
          .optional("include", items(INCLUDE).orNull())
          .optional("truncation", wordAmong("auto", "disabled").orNull())
          .optional("background", ResponsesDecoder::requireForeground)
          .optional("prompt", PROMPT.orNull())
          .optional("safety_identifier", string().orNull())
          .optional("prompt_cache_key", string().orNull())
          .optional("prompt_cache_options", SharedMembers.EXPLICIT_CACHE.orNull())
          .optional(
              "service_tier",
              wordAmong("auto", "default", "fast", "flex", "priority", "scale").orNull())
          .optional("metadata", SharedMembers.METADATA_WITHOUT_BRACKETS.orNull())
          .optional("modalities", items(wordAmong("text", "image")))
          .optional("image_config", SharedMembers.IMAGE_CONFIG)
          .optional("plugins", PluginEntries.RULE, RequestDraft::plugins)
          .optional("provider", ProviderObject.RULE.orNull(), RequestDraft::preferences)
          .optional("route", wordAmong("fallback", "sort").orNull())
          .optional("session_id", textUpTo(256), RequestDraft::sessionId)
          .optional("user", textUpTo(256), RequestDraft::user)
          .optional("trace", SharedMembers.TRACE)
          .optional("debug", DEBUG)
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .optional("stop_server_tools_when", SharedMembers.STOP_SERVER_TOOLS_WHEN)
          .optional("stream", bool(), RequestDraft::stream)
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
    return RequestDraft.decode(Dialect.RESPONSES, BODY, body, plugins, problems);
  }

  private static void setInstructions(RequestDraft draft, Json.Str instructions) {
    List<Part> text = List.of(new Part.Text(instructions, Json.Obj.EMPTY, null));
    draft.instructions(
        new Message(
            Message.Role.SYSTEM, text, Message.ContentForm.STRING, Json.Obj.EMPTY, instructions));
  }

  private static void markTextOptions(RequestDraft draft, Json.Obj options) {
    if (options.get("verbosity") instanceof Json.Str) {
      draft.markUsed(Parameter.VERBOSITY);
    }
    Json.Obj format = options.object("format");
    String type = format == null ? null : format.text("type");
    if ("json_schema".equals(type)) {
      draft.markUsed(Parameter.STRUCTURED_OUTPUTS);
    } else if ("json_object".equals(type)) {
      draft.markUsed(Parameter.RESPONSE_FORMAT);
    }
  }

  private static Json requireNotStored(Json value, DecodingContext context) {
    if (!value.equals(Json.FALSE)) {
      context.reject("must be false: no response is stored", value);
    }
    return value;
  }

  private static Json requireNoPreviousResponse(Json value, DecodingContext context) {
    if (!(value instanceof Json.Null)) {
      context.reject("must be null: no response is stored", value);
    }
    return value;
  }

  private static Json requireForeground(Json value, DecodingContext context) {
    if (!(value instanceof Json.Null || value.equals(Json.FALSE))) {
      context.reject("must be false or null: no response is stored", value);
    }
    return value;
  }

  /**
   * Returns whether the contract lists this type of item or content part. Responses fact sheet,
   * "Input items".
   */
  public static boolean isKnownType(String type) {
    return InputItems.isKnown(type);
  }
}
