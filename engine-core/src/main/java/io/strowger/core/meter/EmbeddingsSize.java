package io.strowger.core.meter;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Computes the largest size of an embeddings request's input, counted as {@link PromptSize} counts
 * a prompt. Embeddings fact sheet, {@code input}.
 */
final class EmbeddingsSize {
  private long maxTokens;
  private long bytes;
  private long longestTextBytes;
  private int modalities = Modality.TEXT.bit();

  private EmbeddingsSize() {}

  /**
   * Returns the size of a request's input.
   *
   * @param members the members of a valid body
   */
  static PromptSize of(Json.Obj members) {
    var size = new EmbeddingsSize();
    Json input = members.get("input");
    if (input instanceof Json.Arr items && !(items.get(0) instanceof Json.Num)) {
      for (int i = 0; i < items.size(); i++) {
        size.input(items.get(i));
      }
    } else if (input != null) {
      size.input(input);
    }
    return new PromptSize(size.maxTokens, size.bytes, size.modalities, 0, 0, size.longestTextBytes);
  }

  /** Counts the input of one embedding. */
  private void input(Json element) {
    long bytesBefore = bytes;
    maxTokens += PromptSize.PER_MESSAGE;
    switch (element) {
      case Json.Str text -> text(text.utf8Bound());
      case Json.Arr tokens -> tokens(tokens.size());
      case Json.Obj item -> content(item.list("content"));
      case Json.Num n -> tokens(1);
      case Json.Bool b -> {}
      case Json.Null n -> {}
    }
    longestTextBytes = Math.max(longestTextBytes, bytes - bytesBefore);
  }

  private void text(long utf8) {
    maxTokens += utf8;
    bytes += utf8;
  }

  private void tokens(long count) {
    maxTokens += count;
    bytes += count * DeliveredOutput.BYTES_PER_TOKEN; // an estimate divides the bytes by this
  }

  private void content(Json.@Nullable Arr parts) {
    for (int i = 0; parts != null && i < parts.size(); i++) {
      if (parts.get(i) instanceof Json.Obj part) {
        part(part);
      }
    }
  }

  private void part(Json.Obj part) {
    switch (String.valueOf(part.text("type"))) {
      case "text" -> text(part.get("text") instanceof Json.Str text ? text.utf8Bound() : 0);
      case "image_url" -> media(PromptSize.PER_IMAGE, Modality.IMAGE);
      case "input_audio" ->
          media(Math.min(part.writtenLength(), PromptSize.PER_FILE), Modality.AUDIO);
      case "input_video" -> media(PromptSize.PER_FILE, Modality.VIDEO);
      default -> media(PromptSize.PER_FILE, Modality.FILE);
    }
  }

  private void media(long tokens, Modality modality) {
    maxTokens += tokens;
    modalities |= modality.bit();
  }
}
