package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A valid request for embeddings, in the engine's own form. Immutable. Embeddings fact sheet.
 *
 * <p>{@link #members()} is the document as it was read, including members without a typed form.
 */
public final class EmbeddingsRequest implements UnaryRequest {
  /** The encoding of each embedding in the answer. */
  public enum Encoding {
    FLOAT,
    /** Base64 of little-endian 32-bit floats. */
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

  private EmbeddingsRequest(Builder builder) {
    members = builder.members;
    model = builder.model;
    input = builder.input;
    encoding = builder.encoding;
    dimensions = builder.dimensions;
    inputType = builder.inputType;
    user = builder.user;
    preferences = builder.preferences;
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

  /** Returns the requested encoding; null when the caller named none. */
  public @Nullable Encoding encoding() {
    return encoding;
  }

  /** Returns the requested length of an embedding, at least 1; 0 when the caller named none. */
  public long dimensions() {
    return dimensions;
  }

  /** Returns the purpose of the embeddings, such as {@code search_query}; null when not given. */
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

  /** Builds a request. Does not validate it: a decoder has already checked what callers send. */
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
