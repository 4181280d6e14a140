package io.strowger.core.meter;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Computes the largest size of a speech request's input, counted as {@link PromptSize} counts a
 * prompt, and the exact number of spoken characters: a character is a Unicode code point of a text;
 * instructions do not count. Speech fact sheet, {@code input}.
 */
final class SpeechSize {
  private long bytes;
  private long tokens;
  private long characters;
  private int modalities = Modality.TEXT.bit();

  private SpeechSize() {}

  /**
   * Returns the size of a request's input.
   *
   * @param members the members of a valid body
   */
  static PromptSize of(Json.Obj members) {
    var size = new SpeechSize();
    switch (members.get("input")) {
      case Json.Str text -> size.addSpoken(text);
      case Json.Arr turns -> size.turns(turns);
      case null, default -> {}
    }
    size.addText(members.get("instructions"));
    size.references(members.list("input_references"));
    return new PromptSize(
        size.bytes + size.tokens, size.bytes, size.modalities, size.characters, 0, size.bytes);
  }

  private void turns(Json.Arr turns) {
    for (int i = 0; i < turns.size(); i++) {
      if (turns.get(i) instanceof Json.Obj turn) {
        addSpoken(turn.get("text"));
        addText(turn.get("instructions"));
        addText(turn.get("voice"));
      }
    }
  }

  private void addSpoken(@Nullable Json value) {
    tokens += PromptSize.PER_MESSAGE;
    if (value instanceof Json.Str text) {
      String spokenText = text.text();
      characters += spokenText.codePointCount(0, spokenText.length());
      bytes += text.utf8Bound();
    }
  }

  private void addText(@Nullable Json value) {
    bytes += value instanceof Json.Str text ? text.utf8Bound() : 0;
  }

  private void references(Json.@Nullable Arr parts) {
    for (int i = 0; parts != null && i < parts.size(); i++) {
      if (parts.get(i) instanceof Json.Obj part) {
        reference(part);
      }
    }
  }

  private void reference(Json.Obj part) {
    switch (String.valueOf(part.text("type"))) {
      case "text" -> addText(part.get("text"));
      case "input_audio" -> {
        tokens += Math.min(part.writtenLength(), PromptSize.PER_FILE);
        modalities |= Modality.AUDIO.bit();
      }
      default -> {
        tokens += PromptSize.PER_IMAGE;
        modalities |= Modality.IMAGE.bit();
      }
    }
  }
}
