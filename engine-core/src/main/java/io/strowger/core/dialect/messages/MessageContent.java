package io.strowger.core.dialect.messages;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer as the blocks of a message: the upstream's own blocks when it uses this format,
 * otherwise thinking, text and calls in order; images, audio and logprobs have no block. Confined
 * to one thread.
 */
final class MessageContent {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private static final Json.Str NO_SIGNATURE = Json.of("");

  private final boolean isOwnDialect;
  private final List<Json.Obj> blocks = new ArrayList<>();
  private final StringBuilder refusal = new StringBuilder();
  private final StringBuilder text = new StringBuilder();
  private final List<Json> citations = new ArrayList<>();
  private boolean continuesText; // whether the next text belongs to the same block

  MessageContent(Answer answer) {
    isOwnDialect = answer.dialect() == Dialect.MESSAGES;
    Json.Arr content =
        isOwnDialect && answer.source() != null ? answer.source().list("content") : null;
    if (content == null) {
      answer.parts().forEach(this::add);
      closeText();
    } else {
      for (Json block : content) {
        if (block instanceof Json.Obj object) {
          blocks.add(ContentBlock.withContractMembers(object));
        }
      }
    }
  }

  List<Json.Obj> blocks() {
    return blocks;
  }

  /** Returns the text of the model's refusal; empty when it did not refuse. */
  String refusal() {
    return refusal.toString();
  }

  private void add(Part part) {
    switch (part) {
      case Part.Text t -> addText(t);
      case Part.Citation c -> addCitation(c);
      case Part.Logprobs l -> continuesText = true;
      case Part.Thinking t -> addThinking(t);
      case Part.Refusal r -> refusal.append(r.text().text());
      case Part.ToolCall call ->
          addBlock(
              ownBlock(call.source()),
              ContentBlock.toolUse(call.id(), call.name(), input(call.arguments())));
      case Part.Unknown unknown -> {
        Json.Obj block = ownBlock(unknown.source());
        if (block != null) {
          addBlock(block, block);
        }
      }
      case Part.ServerToolRun run -> addBlock(null, MarkedReasoning.redactedBlock(run));
      case Part.Image i -> {} // an answer has no block for these
      case Part.Audio a -> {}
      case Part.Video v -> {}
      case Part.File f -> {}
      case Part.ToolResult r -> {}
    }
  }

  private Json.@Nullable Obj ownBlock(@Nullable Json source) {
    return isOwnDialect && source instanceof Json.Obj block
        ? ContentBlock.withContractMembers(block)
        : null;
  }

  private void addBlock(Json.@Nullable Obj upstreamBlock, Json.Obj newBlock) {
    closeText();
    blocks.add(upstreamBlock == null ? newBlock : upstreamBlock);
  }

  private void addText(Part.Text part) {
    if (!continuesText) {
      closeText();
    }
    continuesText = false;
    text.append(part.text().text());
  }

  private void addCitation(Part.Citation citation) {
    Json body =
        isOwnDialect && citation.source() != null
            ? citation.source()
            : ContentBlock.citation(citation.body());
    if (body != null) {
      citations.add(body);
    }
  }

  private void closeText() {
    if (!text.isEmpty() || !citations.isEmpty()) {
      blocks.add(
          ContentBlock.text(
              Json.of(text.toString()), citations.isEmpty() ? Json.NULL : Json.array(citations)));
      text.setLength(0);
      citations.clear();
    }
    continuesText = false;
  }

  private void addThinking(Part.Thinking thinking) {
    Json.Str signature = thinking.signature();
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED) {
      Json.Str data = MarkedReasoning.mark(thinking.text(), thinking.format(), thinking.id());
      addBlock(ownBlock(thinking.source()), ContentBlock.redacted(data));
    } else if (!thinking.text().isEmpty() || signature != null) {
      Json.Str proof =
          signature == null
              ? NO_SIGNATURE
              : MarkedReasoning.mark(signature, thinking.format(), thinking.id());
      addBlock(ownBlock(thinking.source()), ContentBlock.thinking(thinking.text(), proof));
    }
  }

  /**
   * Returns the {@code input} of a call, always an object. Arguments that are no object are put
   * under {@code unparsed}, so that nothing is lost or invented.
   */
  private static Json input(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Value(Json value) -> object(value, arguments);
      case Arguments.Text(Json.Str jsonText) -> parse(jsonText.text(), arguments);
    };
  }

  private static Json parse(String text, Arguments arguments) {
    if (text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    try {
      return object(CODEC.parse(text.getBytes(StandardCharsets.UTF_8)), arguments);
    } catch (MalformedJsonException e) {
      return unparsed(arguments);
    }
  }

  private static Json object(Json value, Arguments arguments) {
    return switch (value) {
      case Json.Obj object -> object;
      case Json.Null absent -> Json.Obj.EMPTY;
      case Json.Arr a -> unparsed(arguments);
      case Json.Str s -> unparsed(arguments);
      case Json.Num n -> unparsed(arguments);
      case Json.Bool b -> unparsed(arguments);
    };
  }

  private static Json unparsed(Arguments arguments) {
    return Json.object().put("unparsed", arguments.asString()).build();
  }
}
