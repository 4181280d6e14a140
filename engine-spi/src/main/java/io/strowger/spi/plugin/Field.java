package io.strowger.spi.plugin;

import io.strowger.spi.json.Json;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One member of a plugin's configuration: how it is read, its default, and what it means. The field
 * is also the key for {@link PluginConfig#get}, so its name is written once.
 *
 * @param <T> the type of the value that is read
 */
public final class Field<T> {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

  private final String name;
  private final Reader<T> reader;
  private final @Nullable T defaultValue;
  private final String doc;
  private final Json.Obj schema;
  private final boolean secret;

  /** Converts a member to a value, or reports what is wrong with it. A pure function. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Returns the value. When the member is invalid, reports that and returns any value, which is
     * ignored.
     */
    T read(Json member, Reporter problems);
  }

  /** Collects the problems of a member. */
  @FunctionalInterface
  public interface Reporter {
    /**
     * Reports a problem of the member.
     *
     * @param path the path of the problem below the member, such as {@code /0/type}; empty for the
     *     member itself
     * @param requirement what is allowed, such as {@code must be 0 to 1}
     * @param value the offending value; shown truncated, or not at all when the field is secret
     */
    void report(String path, String requirement, Json value);

    /**
     * Reports that a required member below this one is absent.
     *
     * @param path the path of the absent member, in the form of {@link #report}
     */
    default void reportMissing(String path) {
      report(path, "is required", Json.NULL);
    }
  }

  /**
   * @param name the name of the member: lower-case letters, digits and underscores
   * @param reader reads the member when it is present; not called for a JSON null, which is an
   *     error
   * @param defaultValue the value when the member is absent; null for none: callers then have to
   *     check {@link PluginConfig#isSet} before they get the value
   * @param doc one or two sentences for people, with unit, range and effect
   * @param schema JSON Schema of the member
   * @param secret whether the value is never shown in errors, logs or listings
   */
  public Field(
      String name,
      Reader<T> reader,
      @Nullable T defaultValue,
      String doc,
      Json.Obj schema,
      boolean secret) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a field name must be a lower-case letter and then lower-case letters, digits or _, was "
              + name);
    }
    this.name = name;
    this.reader = Objects.requireNonNull(reader, "reader");
    this.defaultValue = defaultValue;
    this.doc = Objects.requireNonNull(doc, "doc");
    this.schema = Objects.requireNonNull(schema, "schema");
    this.secret = secret;
  }

  public String name() {
    return name;
  }

  public Reader<T> reader() {
    return reader;
  }

  public @Nullable T defaultValue() {
    return defaultValue;
  }

  public String doc() {
    return doc;
  }

  /** Returns the JSON Schema of the member. */
  public Json.Obj schema() {
    return schema;
  }

  public boolean secret() {
    return secret;
  }

  @Override
  public String toString() {
    return name;
  }
}
