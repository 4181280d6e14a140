package io.strowger.spi.plugin;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The description of a plugin: its id, kind, order, configuration schema and traits. Immutable.
 *
 * <pre>{@code
 * Descriptor.router("best-under").slug("acme/best-under").fields(MAX_PRICE).build()
 * }</pre>
 */
public final class Descriptor {
  private static final Pattern ID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private final String id;
  private final Kind kind;
  private final String version;
  private final int order;
  private final ConfigSchema schema;
  private final List<String> slugs;
  private final Set<Trait> traits;

  /** The kind of plugin that a provider creates. */
  public enum Kind {
    /** {@link RouterPlugin}. */
    ROUTER,
    /** {@link Interceptor}. */
    INTERCEPTOR
  }

  /**
   * A reason for an interceptor to act on requests that do not name it, unless they switch it off.
   * A trait adds no cost to other requests.
   */
  public enum Trait {
    /** Around the request: acts on every request that has a file part. */
    READS_FILES,
    /** Around the request: acts on every request for a model with the suffix {@code :online}. */
    ANSWERS_ONLINE,
    /**
     * Around the attempt: shortens prompts. Acts when the endpoint's context is known, at most
     * {@value #SMALL_CONTEXT} tokens, and too short for the prompt. Such an endpoint may therefore
     * be planned for a longer prompt; for a request that names the plugin, so may an endpoint with
     * a larger context.
     */
    COMPRESSES_PROMPTS
  }

  /** The largest context, in tokens, that {@link Trait#COMPRESSES_PROMPTS} treats as small. */
  public static final int SMALL_CONTEXT = 8192;

  private Descriptor(Builder from) {
    id = from.id;
    kind = from.kind;
    version = from.version;
    order = from.order;
    schema = from.schema;
    slugs = List.copyOf(from.slugs);
    traits = EnumSet.copyOf(from.traits);
  }

  /**
   * Returns a builder for a plugin that creates routers, with order 100.
   *
   * @param id the name requests use: lower-case words joined by hyphens; unique in a gateway
   */
  public static Builder router(String id) {
    return new Builder(id, Kind.ROUTER, 100);
  }

  /**
   * Returns a builder for a plugin that creates interceptors, with order 1000: inside all those of
   * the contract, so that it sees the request as they changed it.
   *
   * @param id the name requests use, in the form described at {@link #router}
   */
  public static Builder interceptor(String id) {
    return new Builder(id, Kind.INTERCEPTOR, 1000);
  }

  public String id() {
    return id;
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the plugin's version, for decision logs. */
  public String version() {
    return version;
  }

  /**
   * Returns the plugin's place among its kind: a router with a lower order decides first, an
   * interceptor with a lower order is further out. Plugins of equal order are sorted by id.
   */
  public int order() {
    return order;
  }

  /** Returns the schema of the plugin's entry. */
  public ConfigSchema schema() {
    return schema;
  }

  /** Returns the model names that select the plugin, such as {@code router/auto}. */
  public List<String> slugs() {
    return slugs;
  }

  /** Returns whether the plugin acts for this reason on requests that do not name it. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  private List<Object> parts() {
    return List.of(id, kind, version, order, schema, slugs, traits);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Descriptor that && parts().equals(that.parts());
  }

  @Override
  public int hashCode() {
    return parts().hashCode();
  }

  @Override
  public String toString() {
    return id + " " + version;
  }

  /** Builds a description. Defaults: version 1, no fields, no slugs, no traits. */
  public static final class Builder {
    private final String id;
    private final Kind kind;
    private String version = "1";
    private int order;
    private ConfigSchema schema = ConfigSchema.of();
    private final List<String> slugs = new ArrayList<>();
    private final EnumSet<Trait> traits = EnumSet.noneOf(Trait.class);

    private Builder(String id, Kind kind, int order) {
      if (!ID.matcher(id).matches()) {
        throw new IllegalArgumentException(
            "a plugin's id must be lower-case words joined by hyphens, was " + id);
      }
      this.id = id;
      this.kind = kind;
      this.order = order;
    }

    public Builder version(String value) {
      version = Objects.requireNonNull(value, "version");
      return this;
    }

    public Builder order(int value) {
      order = value;
      return this;
    }

    /** Sets the members of the plugin's entry, which may also have {@code enabled}. */
    public Builder fields(Field<?>... fields) {
      return schema(ConfigSchema.of(fields));
    }

    public Builder schema(ConfigSchema value) {
      schema = Objects.requireNonNull(value, "schema");
      return this;
    }

    /**
     * Adds a model name that selects the plugin.
     *
     * @param model a name such as {@code acme/best-under}; matched with any variant, ignoring case
     */
    public Builder slug(String model) {
      slugs.add(Objects.requireNonNull(model, "model"));
      return this;
    }

    /** Adds model names that select the plugin. */
    public Builder slugs(List<String> models) {
      slugs.addAll(models);
      return this;
    }

    /** Adds a reason to act on requests that do not name the plugin. */
    public Builder trait(Trait value) {
      traits.add(Objects.requireNonNull(value, "trait"));
      return this;
    }

    public Descriptor build() {
      return new Descriptor(this);
    }
  }
}
