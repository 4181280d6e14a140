package io.strowger.spi.catalog;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A model and what is known about it beyond its endpoints. Immutable. */
public final class ModelInfo {
  private final String id;
  private final String name;
  private final @Nullable String family;
  private final @Nullable Instant createdAt;
  private final boolean hidden;
  private final boolean privateModel;
  private final List<String> aliases;
  private final boolean distillable;
  private final @Nullable Double codingScore;
  private final @Nullable Double intelligenceScore;
  private final Reasoning reasoning;
  private final List<Endpoint> endpoints;
  private final int ordinal;

  /**
   * The reasoning options that a model accepts.
   *
   * @param mandatory whether reasoning cannot be switched off
   * @param efforts supported levels, lowest first; empty when there are none
   * @param acceptsMaxTokens whether the model accepts a budget in tokens
   */
  public record Reasoning(boolean mandatory, List<String> efforts, boolean acceptsMaxTokens) {
    public static final Reasoning NONE = new Reasoning(false, List.of(), false);

    public Reasoning {
      efforts = List.copyOf(efforts);
    }
  }

  private ModelInfo(Builder builder, List<Endpoint> endpoints, int ordinal) {
    this.id = builder.id;
    this.name = builder.name == null ? builder.id : builder.name;
    this.family = builder.family;
    this.createdAt = builder.createdAt;
    this.hidden = builder.hidden;
    this.privateModel = builder.privateModel;
    this.aliases = List.copyOf(builder.aliases);
    this.distillable = builder.distillable;
    this.codingScore = builder.codingScore;
    this.intelligenceScore = builder.intelligenceScore;
    this.reasoning = builder.reasoning;
    this.endpoints = endpoints;
    this.ordinal = ordinal;
  }

  ModelInfo withIndex(List<Endpoint> sortedEndpoints, int index) {
    return new ModelInfo(toBuilder(), sortedEndpoints, index);
  }

  /** Returns the id in the form {@code author/slug}. */
  public String id() {
    return id;
  }

  public String name() {
    return name;
  }

  /** Returns the family of {@code ~author/family-latest}; null when the model belongs to none. */
  public @Nullable String family() {
    return family;
  }

  public @Nullable Instant createdAt() {
    return createdAt;
  }

  /** Returns whether the model is unlisted and never the target of {@code ~latest}. */
  public boolean isHidden() {
    return hidden;
  }

  /** Returns whether only accounts that were approved for it may use the model. */
  public boolean isPrivate() {
    return privateModel;
  }

  /** Returns other names that a request may use. */
  public List<String> aliases() {
    return aliases;
  }

  /** Returns whether the author allows training other models on its text. */
  public boolean distillable() {
    return distillable;
  }

  /** Returns the score for coding, 0 to 1; null when not known. */
  public @Nullable Double codingScore() {
    return codingScore;
  }

  /** Returns the score for general intelligence, 0 to 1; null when not known. */
  public @Nullable Double intelligenceScore() {
    return intelligenceScore;
  }

  public Reasoning reasoning() {
    return reasoning;
  }

  /** Returns the endpoints, cheapest first by {@link Endpoint#blendedPrice()}, then by tag. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /** Returns the model's index in {@link Catalog#models()}; -1 outside of a catalog. */
  public int ordinal() {
    return ordinal;
  }

  @Override
  public String toString() {
    return id;
  }

  public static Builder builder(String id) {
    return new Builder(id);
  }

  public Builder toBuilder() {
    Builder copy = new Builder(id);
    copy.name = name;
    copy.family = family;
    copy.createdAt = createdAt;
    copy.hidden = hidden;
    copy.privateModel = privateModel;
    copy.aliases = aliases;
    copy.distillable = distillable;
    copy.codingScore = codingScore;
    copy.intelligenceScore = intelligenceScore;
    copy.reasoning = reasoning;
    return copy;
  }

  /** Builds a {@link ModelInfo}. */
  public static final class Builder {
    private final String id;
    private @Nullable String name;
    private @Nullable String family;
    private @Nullable Instant createdAt;
    private boolean hidden;
    private boolean privateModel;
    private List<String> aliases = List.of();
    private boolean distillable;
    private @Nullable Double codingScore;
    private @Nullable Double intelligenceScore;
    private Reasoning reasoning = Reasoning.NONE;

    private Builder(String id) {
      this.id = Objects.requireNonNull(id, "id");
    }

    public Builder name(String value) {
      name = value;
      return this;
    }

    public Builder family(@Nullable String value) {
      family = value;
      return this;
    }

    public Builder createdAt(@Nullable Instant value) {
      createdAt = value;
      return this;
    }

    public Builder isHidden(boolean value) {
      hidden = value;
      return this;
    }

    public Builder isPrivate(boolean value) {
      privateModel = value;
      return this;
    }

    public Builder aliases(List<String> value) {
      aliases = value;
      return this;
    }

    public Builder distillable(boolean value) {
      distillable = value;
      return this;
    }

    public Builder codingScore(@Nullable Double value) {
      codingScore = value;
      return this;
    }

    public Builder intelligenceScore(@Nullable Double value) {
      intelligenceScore = value;
      return this;
    }

    public Builder reasoning(Reasoning value) {
      reasoning = value;
      return this;
    }

    /** Returns the model without endpoints; {@link Catalog.Builder} adds them. */
    public ModelInfo build() {
      return new ModelInfo(this, List.of(), -1);
    }
  }
}
