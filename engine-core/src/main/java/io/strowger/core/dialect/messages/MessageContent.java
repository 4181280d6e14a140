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

  private static final Json.Str UNSIGNED = Json.of("");

  private final boolean own;
  private final List<Json.Obj> blocks = new ArrayList<>();
  private final StringBuilder refusal = new StringBuilder();
  private final StringBuilder text = new StringBuilder();
  private final List<Json> citations = new ArrayList<>();
  private boolean goesOn; // whether the next text belongs to the same block

  MessageContent(Answer answer) {
    own = answer.dialect() == Dialect.MESSAGES;
    Json.Arr content = own && answer.source() != null ? answer.source().list("content") : null;
    if (content == null) {
      answer.parts().forEach(this::add);
      closeText();
    } else {
      for (Json block : content) {
        if (block instanceof Json.Obj object) {
          blocks.add(ContentBlock.complete(object));
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
      case Part.Text t -> text(t);
      case Part.Citation c -> cite(c);
      case Part.Logprobs l -> goesOn = true;
      case Part.Thinking t -> think(t);
      case Part.Refusal r -> refusal.append(r.text().text());
      case Part.ToolCall call ->
          block(
              kept(call.source()),
              ContentBlock.toolUse(call.id(), call.name(), input(call.arguments())));
      case Part.Unknown unknown -> {
        Json.Obj kept = kept(unknown.source());
        if (kept != null) {
          block(kept, kept);
        }
      }
      case Part.ServerToolRun run -> block(null, MarkedReasoning.hidden(run));
      case Part.Image i -> {} // an answer has no block for these
      case Part.Audio a -> {}
      case Part.Video v -> {}
      case Part.File f -> {}
      case Part.ToolResult r -> {}
    }
  }

  private Json.@Nullable Obj kept(@Nullable Json source) {
    return own && source instanceof Json.Obj block ? ContentBlock.complete(block) : null;
  }

  private void block(Json.@Nullable Obj kept, Json.Obj made) {
    closeText();
    blocks.add(kept == null ? made : kept);
  }

  private void text(Part.Text part) {
    if (!goesOn) {
      closeText();
    }
    goesOn = false;
    text.append(part.text().text());
  }

  private void cite(Part.Citation citation) {
    Json cited =
        own && citation.source() != null
            ? citation.source()
            : ContentBlock.citation(citation.body());
    if (cited != null) {
      citations.add(cited);
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
    goesOn = false;
  }

  private void think(Part.Thinking thought) {
    Json.Str signature = thought.signature();
    if (thought.kind() == Part.Thinking.Kind.ENCRYPTED) {
      Json.Str data = MarkedReasoning.marked(thought.text(), thought.format(), thought.id());
      block(kept(thought.source()), ContentBlock.redacted(data));
    } else if (!thought.text().isEmpty() || signature != null) {
      Json.Str proof =
          signature == null
              ? UNSIGNED
              : MarkedReasoning.marked(signature, thought.format(), thought.id());
      block(kept(thought.source()), ContentBlock.thinking(thought.text(), proof));
    }
  }

  /**
   * Returns the {@code input} of a call, always an object. Arguments that are no object are put
   * under {@code unparsed}, so that nothing is lost or invented.
   */
  private static Json input(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Value(Json value) -> object(value, arguments);
      case Arguments.Text(Json.Str written) -> parsed(written.text(), arguments);
    };
  }

  private static Json parsed(String text, Arguments arguments) {
    if (text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    try {
      return object(CODEC.parse(text.getBytes(StandardCharsets.UTF_8)), arguments);
    } catch (MalformedJsonException written) {
      return unparsed(arguments);
    }
  }

  private static Json object(Json value, Arguments arguments) {
    return switch (value) {
      case Json.Obj object -> object;
      case Json.Null nothing -> Json.Obj.EMPTY;
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
