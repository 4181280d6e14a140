package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * The input of an embeddings request, in one of its five forms, as the caller sent it. Embeddings
 * fact sheet, {@code input}.
 *
 * <p>The values are those of the document, so an adapter can write them unchanged.
 */
public sealed interface EmbeddingsInput {
  /** Returns the number of embeddings requested. */
  int count();

  /**
   * One text.
   *
   * @param text the text, not empty
   */
  record Text(Json.Str text) implements EmbeddingsInput {
    public Text {
      Objects.requireNonNull(text, "text");
    }

    @Override
    public int count() {
      return 1;
    }
  }

  /**
   * Several texts.
   *
   * @param texts strings, none of them empty; at least one
   */
  record Texts(Json.Arr texts) implements EmbeddingsInput {
    public Texts {
      requireNotEmpty(texts);
    }

    @Override
    public int count() {
      return texts.size();
    }
  }

  /**
   * One text, given as its token ids.
   *
   * @param ids the token ids, as JSON numbers; at least one
   */
  record Tokens(Json.Arr ids) implements EmbeddingsInput {
    public Tokens {
      requireNotEmpty(ids);
    }

    @Override
    public int count() {
      return 1;
    }
  }

  /**
   * Several texts, each given as its token ids.
   *
   * @param lists the token ids of each text, as arrays of JSON numbers; at least one
   */
  record TokenLists(Json.Arr lists) implements EmbeddingsInput {
    public TokenLists {
      requireNotEmpty(lists);
    }

    @Override
    public int count() {
      return lists.size();
    }
  }

  /**
   * Several inputs of one or more parts each: text, images, audio, video or files.
   *
   * @param items the inputs, JSON objects that each have {@code content}; at least one
   */
  record Contents(Json.Arr items) implements EmbeddingsInput {
    public Contents {
      requireNotEmpty(items);
    }

    @Override
    public int count() {
      return items.size();
    }
  }

  private static void requireNotEmpty(Json.Arr items) {
    if (items.isEmpty()) {
      throw new IllegalArgumentException("an input of embeddings must not be empty");
    }
  }
}
