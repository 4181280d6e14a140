package io.strowger.core.meter;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.Set;

/**
 * The largest size a prompt can have, from which holds are computed: a tokenizer makes at most one
 * token of each UTF-8 byte, each message costs a few more, and what is not text is counted at a
 * stated maximum. It is a bound, not an estimate. Decodes no text.
 *
 * @param maxTokens the maximum number of tokens of the prompt
 * @param bytes UTF-8 bytes of its text, for an estimate when the upstream reports no count
 * @param modalities mask of the {@link Modality#bit()} of each modality in it
 * @param characters Unicode characters that are spoken; 0 for other kinds of requests
 * @param units the maximum number of units of the endpoint's kind that the request can take, as
 *     {@link io.strowger.spi.catalog.Endpoint.Kind#unit()}; 0 if the kind has none
 * @param longestTextBytes UTF-8 bytes of the longest text that has to fit a model's context: all of
 *     a conversation, and the longest single input of embeddings
 */
public record PromptSize(
    long maxTokens,
    long bytes,
    int modalities,
    long characters,
    long units,
    long longestTextBytes) {
  /** Tokens on top of each message's text. */
  public static final int PER_MESSAGE = 16;

  /** The maximum number of tokens that one image is assumed to cost. */
  public static final int PER_IMAGE = 16_384;

  /**
   * The maximum number of tokens that one recording, video or document is assumed to cost; smaller
   * recordings that come inline cost at most their bytes.
   */
  public static final int PER_FILE = 262_144;

  /**
   * Members that no upstream turns into prompt tokens. Any other may become part of the prompt:
   * response_format does, and so may members that this engine does not know.
   */
  private static final Set<String> NON_PROMPT_MEMBERS =
      Set.of(
          "cache_control",
          "debug",
          "fallbacks",
          "frequency_penalty",
          "image_config",
          "include_reasoning",
          "logit_bias",
          "logprobs",
          "max_completion_tokens",
          "max_tokens",
          "max_tool_calls",
          "metadata",
          "min_p",
          "modalities",
          "model",
          "models",
          "n",
          "parallel_tool_calls",
          "plugins",
          "prediction",
          "presence_penalty",
          "preset",
          "prompt_cache_key",
          "prompt_cache_options",
          "provider",
          "reasoning",
          "reasoning_effort",
          "repetition_penalty",
          "route",
          "seed",
          "service_tier",
          "session_id",
          "stop",
          "stop_server_tools_when",
          "stream",
          "stream_options",
          "temperature",
          "tool_choice",
          "tools",
          "top_a",
          "top_k",
          "top_logprobs",
          "top_p",
          "trace",
          "user",
          "verbosity");

  public static PromptSize of(InferenceRequest request) {
    return switch (request.kind()) {
      case CHAT -> ofConversation(request);
      case EMBEDDINGS -> EmbeddingsSize.of(request.members());
      case SPEECH -> SpeechSize.of(request.members());
      case RERANK -> RerankSize.of(request.members());
      case IMAGES -> ofImages(request.members());
      case TRANSCRIPTIONS -> AudioSize.of(request.members(), request.upload());
    };
  }

  private static PromptSize ofConversation(InferenceRequest request) {
    var count = new Count();
    Message instructions = request.instructions();
    if (instructions != null) {
      count.message(instructions);
    }
    request.messages().forEach(count::message);
    for (Tool tool : request.tools()) {
      count.maxTokens += PER_MESSAGE;
      count.text(tool(tool));
    }
    Json.Obj members = request.members();
    for (int i = 0; i < members.size(); i++) {
      String name = members.name(i);
      if (!NON_PROMPT_MEMBERS.contains(name) && !isConversation(request.dialect(), name)) {
        count.text(length(members.value(i)));
      }
    }
    return new PromptSize(count.maxTokens, count.bytes, count.modalities, 0, 0, count.bytes);
  }

  /**
   * Returns the largest size of an image request and the most images it can produce. Embeddings
   * fact sheet, {@code /images}.
   *
   * @param members the members of a valid body
   */
  private static PromptSize ofImages(Json.Obj members) {
    long bytes = members.get("prompt") instanceof Json.Str prompt ? prompt.utf8Bound() : 0;
    Json.Arr references = members.list("input_references");
    long images = references == null ? 0 : references.size();
    int modalities = Modality.TEXT.bit() | (images > 0 ? Modality.IMAGE.bit() : 0);
    return new PromptSize(
        PER_MESSAGE + bytes + images * PER_IMAGE,
        bytes,
        modalities,
        0,
        members.longValue("n", 1),
        bytes);
  }

  /** Returns whether a member holds the conversation, which is counted in its typed form. */
  private static boolean isConversation(Dialect dialect, String member) {
    return switch (dialect) {
      case CHAT -> member.equals("messages");
      case MESSAGES -> member.equals("messages") || member.equals("system");
      case RESPONSES -> member.equals("input") || member.equals("instructions");
      case GEMINI -> false;
    };
  }

  private static long tool(Tool tool) {
    Json source = tool.source();
    if (source != null) {
      return source.writtenLength();
    }
    return switch (tool) {
      case Tool.Function f ->
          f.name().length() * 3L
              + (f.description() == null ? 0 : f.description().length() * 3L)
              + (f.parameters() == null ? 0 : f.parameters().writtenLength())
              + extra(f.extras());
      case Tool.Server s -> s.parameters().writtenLength();
      case Tool.Unknown u -> u.source().writtenLength();
    };
  }

  private static long length(Json value) {
    return value instanceof Json.Str text ? text.utf8Bound() : value.writtenLength();
  }

  /**
   * Returns the bytes of unknown members, which may reach the model, such as a title; 0 for a type
   * alone, which does not.
   */
  private static long extra(Json.Obj extras) {
    boolean isNegligible = extras.size() == 0 || extras.size() == 1 && extras.has("type");
    return isNegligible ? 0 : extras.writtenLength();
  }

  private static final class Count {
    private long maxTokens;
    private long bytes;
    private int modalities = Modality.TEXT.bit();

    void text(long utf8) {
      maxTokens += utf8;
      bytes += utf8;
    }

    void message(Message message) {
      maxTokens += PER_MESSAGE;
      text(extra(message.extras()));
      parts(message.parts());
    }

    private void parts(List<Part> parts) {
      parts.forEach(this::part);
    }

    private void part(Part part) {
      switch (part) {
        case Part.Text text -> {
          text(text.text().utf8Bound());
          text(extra(text.extras()));
        }
        case Part.Image image -> media(PER_IMAGE, Modality.IMAGE, image.extras());
        case Part.Audio audio ->
            media(fileTokens(audio.data().utf8Bound()), Modality.AUDIO, audio.extras());
        case Part.Video video -> media(PER_FILE, Modality.VIDEO, video.extras());
        case Part.File file -> media(PER_FILE, Modality.FILE, file.extras());
        case Part.ToolCall call -> {
          text(3L * (call.name().length() + call.id().length()) + call.arguments().utf8Bound());
          text(extra(call.extras()));
        }
        case Part.ToolResult result -> {
          text(3L * result.callId().length() + extra(result.extras()));
          parts(result.content());
        }
        case Part.Thinking thinking -> {
          text(thinking.text().utf8Bound());
          Json.Str signature = thinking.signature();
          text(signature == null ? 0 : signature.utf8Bound());
          text(extra(thinking.extras()));
        }
        case Part.Refusal refusal -> text(refusal.text().utf8Bound());
        case Part.Citation citation -> text(citation.body().writtenLength());
        case Part.Logprobs logprobs -> {
          // never sent to an upstream
        }
        case Part.ServerToolRun run -> {
          text(3L * (run.tool().length() + run.callId().length()) + run.arguments().utf8Bound());
          text(run.result().writtenLength());
        }
        case Part.Unknown unknown -> text(unknown.source().writtenLength());
      }
    }

    private static long fileTokens(long inlineBytes) {
      return Math.min(inlineBytes, PER_FILE);
    }

    private void media(long tokens, Modality modality, Json.Obj extras) {
      maxTokens += tokens;
      text(extra(extras));
      modalities |= modality.bit();
    }
  }
}
