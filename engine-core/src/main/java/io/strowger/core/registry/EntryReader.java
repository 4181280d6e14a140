package io.strowger.core.registry;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.PluginConfig;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Reads the members of an entry by the schema of its plugin. */
final class EntryReader {
  private EntryReader() {}

  /**
   * Returns the values of an entry. Members of the schema must not be null; members that the schema
   * does not know are ignored.
   *
   * @param problems receives what is wrong; if anything is, the values must not be used
   */
  static PluginConfig read(
      Descriptor descriptor, Json.Obj entry, JsonPointer at, Problems problems) {
    if (!descriptor.schema().switchable() && Json.FALSE.equals(entry.get("enabled"))) {
      problems.add(
          at.child("enabled"),
          "must not be false: an entry cannot switch " + descriptor.id() + " off",
          Json.FALSE);
    }
    return values(descriptor.schema(), entry, at, problems);
  }

  /** Returns the values of an object that has the members of a schema. */
  static PluginConfig values(
      ConfigSchema schema, Json.Obj entry, JsonPointer at, Problems problems) {
    var values = new LinkedHashMap<Field<?>, Object>();
    for (Field<?> field : schema.fields()) {
      Json member = entry.get(field.name());
      if (member instanceof Json.Null) {
        problems.add(at.child(field.name()), "must not be null", "");
      } else if (member != null) {
        values.put(field, read(field, member, at.child(field.name()), problems));
      }
    }
    return new PluginConfig(values);
  }

  private static Object read(Field<?> field, Json member, JsonPointer at, Problems problems) {
    @Nullable Object value = field.reader().read(member, new Reporter(field, at, problems));
    if (value == null) {
      throw new IllegalStateException("the reader of " + field + " returned null");
    }
    return value;
  }

  /** Reports the problems of a field with their place. */
  private record Reporter(Field<?> field, JsonPointer at, Problems problems)
      implements Field.Reporter {
    @Override
    public void report(String below, String allowed, Json value) {
      if (field.secret()) {
        problems.add(place(below), allowed, "");
      } else {
        problems.add(place(below), allowed, value);
      }
    }

    @Override
    public void reportMissing(String below) {
      problems.addMissing(place(below));
    }

    private JsonPointer place(String below) {
      JsonPointer pointer = at;
      if (!below.isEmpty()) {
        for (String step : below.substring(1).split("/", -1)) {
          pointer = pointer.child(step.replace("~1", "/").replace("~0", "~"));
        }
      }
      return pointer;
    }
  }
}
