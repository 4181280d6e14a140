package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.models;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.CacheControl;
import io.strowger.core.dialect.ImageConfig;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.core.dialect.MetadataPairs;
import io.strowger.core.dialect.PluginEntries;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.StopConditions;
import io.strowger.core.dialect.Trace;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Reads the body of a responses request into the engine's own shape, noting everything that is
 * wrong with it. Responses fact sheet, "Request"; contract: "Provider preferences", "Plugins",
 * "Limits". Immutable, safe on any thread.
 *
 * <p>The service keeps nothing between requests. So {@code store} is false or absent, {@code
 * previous_response_id} null or absent, and {@code background} not true, for nobody could fetch
 * what is answered later; {@code input} has to be there and say something: a string that is not
 * empty, or at least one item. {@code max_tool_calls} above 30 is accepted and capped where tools
 * are run. Members nobody knows are kept and passed on; only {@code provider} is closed.
 */
public final class ResponsesDecoder {
  private static final Rule<Json.Obj> PROMPT =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .required("id", string())
              .optional("variables", object().orNull())
              .build());

  private static final Rule<Json.Obj> DEBUG =
      MemberTable.kept(
          MemberTable.<Json.Obj>table().optional("echo_upstream_body", bool()).build());

  private static final Rule<String> INCLUDED =
      wordAmong(
          "reasoning.encrypted_content",
          "file_search_call.results",
          "message.input_image.image_url",
          "computer_call_output.output.image_url",
          "code_interpreter_call.outputs");

  private static final MemberTable<ResponsesDraft> BODY =
      MemberTable.<ResponsesDraft>table()
          .optional("store", ResponsesDecoder::notStored)
          .optional("previous_response_id", ResponsesDecoder::noPrevious)
          .required("input", InputItems.RULE, ResponsesDraft::input)
          .optional("instructions", string().orNull(), ResponsesDraft::instructions)
          .optional("model", name(), ResponsesDraft::model)
          .optional("models", models(), ResponsesDraft::models)
          .optional(
              "max_output_tokens",
              integer(1, Integer.MAX_VALUE).orNull(),
              ResponsesDraft::maxOutputTokens)
          .optional("max_tool_calls", integerAtLeast(1).orNull())
          .optional("temperature", number(0, 2).orNull(), uses(Parameter.TEMPERATURE))
          .optional("top_p", number(0, 1).orNull(), uses(Parameter.TOP_P))
          .optional("frequency_penalty", number(-2, 2).orNull(), uses(Parameter.FREQUENCY_PENALTY))
          .optional("presence_penalty", number(-2, 2).orNull(), uses(Parameter.PRESENCE_PENALTY))
          .optional("top_k", integerAtLeast(0), uses(Parameter.TOP_K))
          .optional("top_logprobs", integer(0, 20).orNull(), uses(Parameter.TOP_LOGPROBS))
          .optional("tools", ResponsesTools.RULE, ResponsesDraft::tools)
          .optional("tool_choice", ResponsesToolChoiceRule.RULE, uses(Parameter.TOOL_CHOICE))
          .optional("parallel_tool_calls", bool().orNull(), uses(Parameter.PARALLEL_TOOL_CALLS))
          .optional("text", TextOptions.RULE, ResponsesDraft::text)
          .optional("reasoning", ResponsesReasoningRule.RULE.orNull(), uses(Parameter.REASONING))
          .optional("include", items(INCLUDED).orNull())
          .optional("truncation", wordAmong("auto", "disabled").orNull())
          .optional("background", ResponsesDecoder::answeredNow)
          .optional("prompt", PROMPT.orNull())
          .optional("safety_identifier", string().orNull())
          .optional("prompt_cache_key", string().orNull())
          .optional("prompt_cache_options", CacheControl.EXPLICIT.orNull())
          .optional(
              "service_tier",
              wordAmong("auto", "default", "fast", "flex", "priority", "scale").orNull())
          .optional("metadata", MetadataPairs.WITHOUT_BRACKETS.orNull())
          .optional("modalities", items(wordAmong("text", "image")))
          .optional("image_config", ImageConfig.RULE)
          .optional("plugins", PluginEntries.RULE, ResponsesDraft::plugins)
          .optional("provider", ProviderObject.RULE.orNull(), ResponsesDraft::preferences)
          .optional("route", wordAmong("fallback", "sort").orNull())
          .optional("session_id", textUpTo(256), ResponsesDraft::sessionId)
          .optional("user", textUpTo(256), ResponsesDraft::user)
          .optional("trace", Trace.RULE)
          .optional("debug", DEBUG)
          .optional("cache_control", CacheControl.RULE)
          .optional("stop_server_tools_when", StopConditions.RULE)
          .optional("stream", bool(), ResponsesDraft::stream)
          .also(ResponsesDraft::crossChecks)
          .build();

  private final PluginChecks plugins;

  public ResponsesDecoder(PluginChecks plugins) {
    this.plugins = Objects.requireNonNull(plugins, "plugins");
  }

  /**
   * Reads a body. What comes back is only good when no problem was noted.
   *
   * @param problems takes what is wrong; the caller ends the request when there is any
   */
  public InferenceRequest decode(Json.Obj body, Problems problems) {
    var context = new DecodingContext(problems, plugins);
    ResponsesDraft draft = read(body, context);
    return context.isMisnamed()
        ? read(MediaAddress.renamed(body), new DecodingContext(problems, plugins)).request()
        : draft.request();
  }

  private static ResponsesDraft read(Json.Obj body, DecodingContext context) {
    var draft = new ResponsesDraft(body);
    BODY.read(body, context, draft);
    return draft;
  }

  private static BiConsumer<ResponsesDraft, Object> uses(Parameter parameter) {
    return (draft, value) -> draft.uses(parameter);
  }

  private static Json notStored(Json given, DecodingContext context) {
    if (!given.equals(Json.FALSE)) {
      context.reject("must be false: no response is stored", given);
    }
    return given;
  }

  private static Json noPrevious(Json given, DecodingContext context) {
    if (!(given instanceof Json.Null)) {
      context.reject("must be null: no response is stored", given);
    }
    return given;
  }

  private static Json answeredNow(Json given, DecodingContext context) {
    if (!(given instanceof Json.Null || given.equals(Json.FALSE))) {
      context.reject("must be false or null: no response is kept to be fetched", given);
    }
    return given;
  }

  /**
   * True of a type of item, or of part of a content, that the contract lists. Responses fact sheet,
   * "Input items".
   */
  public static boolean knows(String type) {
    return InputItems.isKnown(type);
  }
}
