package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for embeddings, valid, in the engine's own shape. Immutable. Embeddings fact sheet.
 *
 * <p>{@link #members()} is the document as it was read, for members nobody knows.
 */
public final class EmbeddingsRequest implements UnaryRequest {
  /** How each embedding is written. */
  public enum Encoding {
    FLOAT,
    /** The base64 of 32-bit floats, the low byte first. */
    BASE64
  }

  private final Json.Obj members;
  private final ModelRef model;
  private final EmbeddingsInput input;
  private final @Nullable Encoding encoding;
  private final long dimensions;
  private final @Nullable String inputType;
  private final @Nullable String user;
  private final ProviderPreferences preferences;

  private EmbeddingsRequest(Builder from) {
    members = from.members;
    model = from.model;
    input = from.input;
    encoding = from.encoding;
    dimensions = from.dimensions;
    inputType = from.inputType;
    user = from.user;
    preferences = from.preferences;
  }

  @Override
  public Json.Obj members() {
    return members;
  }

  @Override
  public ModelRef model() {
    return model;
  }

  public EmbeddingsInput input() {
    return input;
  }

  /** Null when the caller did not say. */
  public @Nullable Encoding encoding() {
    return encoding;
  }

  /** How many numbers an embedding has, at least 1; 0 when the caller did not say. */
  public long dimensions() {
    return dimensions;
  }

  /**
   * What the embeddings are for, such as {@code search_query}; null when the caller did not say.
   */
  public @Nullable String inputType() {
    return inputType;
  }

  @Override
  public @Nullable String user() {
    return user;
  }

  @Override
  public ProviderPreferences preferences() {
    return preferences;
  }

  public static Builder builder(Json.Obj members, ModelRef model, EmbeddingsInput input) {
    return new Builder(members, model, input);
  }

  /** Collects a request. Nothing is checked here: what callers send has been through a decoder. */
  public static final class Builder {
    private final Json.Obj members;
    private final ModelRef model;
    private final EmbeddingsInput input;
    private @Nullable Encoding encoding;
    private long dimensions;
    private @Nullable String inputType;
    private @Nullable String user;
    private ProviderPreferences preferences = ProviderPreferences.NONE;

    private Builder(Json.Obj members, ModelRef model, EmbeddingsInput input) {
      this.members = Objects.requireNonNull(members, "members");
      this.model = Objects.requireNonNull(model, "model");
      this.input = Objects.requireNonNull(input, "input");
    }

    public Builder encoding(@Nullable Encoding value) {
      encoding = value;
      return this;
    }

    public Builder dimensions(long count) {
      dimensions = count;
      return this;
    }

    public Builder inputType(@Nullable String value) {
      inputType = value;
      return this;
    }

    public Builder user(@Nullable String value) {
      user = value;
      return this;
    }

    public Builder preferences(ProviderPreferences value) {
      preferences = value;
      return this;
    }

    public EmbeddingsRequest build() {
      return new EmbeddingsRequest(this);
    }
  }
}
