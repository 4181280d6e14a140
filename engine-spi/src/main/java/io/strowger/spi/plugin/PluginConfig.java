package io.strowger.spi.plugin;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of one plugin entry, read according to its schema. Immutable. */
public final class PluginConfig {
  public static final PluginConfig EMPTY = new PluginConfig(Map.of());

  private final Map<Field<?>, Object> values;

  /**
   * @param values the members that the entry sets, by field; each is of its field's type
   */
  public PluginConfig(Map<Field<?>, Object> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values)); // keeps its order
  }

  /** Returns whether the entry has this member. */
  public boolean isSet(Field<?> field) {
    return values.containsKey(field);
  }

  /**
   * Returns the member's value, or the field's fallback.
   *
   * @throws IllegalStateException when the member is absent and the field has no fallback
   */
  @SuppressWarnings("unchecked") // the schema read the value with this very field
  public <T> T get(Field<T> field) {
    @Nullable T value = (T) values.get(field);
    if (value == null) {
      value = field.defaultValue();
    }
    if (value == null) {
      throw new IllegalStateException(field + " is not set and has no fallback");
    }
    return Objects.requireNonNull(value);
  }

  /** Returns the names of the fields only, since values may be secrets. */
  @Override
  public String toString() {
    return values.keySet().toString();
  }
}
