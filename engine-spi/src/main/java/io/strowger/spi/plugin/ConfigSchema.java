package io.strowger.spi.plugin;

import io.strowger.spi.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The schema of a plugin's entry: the members that it may have besides {@code id} and {@code
 * enabled}. Parsing, defaults, JSON Schema, documentation and masking are all derived from it.
 * Unknown members of an entry are accepted and have no effect; known members must not be null.
 *
 * @param fields the members, in the order in which the documentation lists them
 * @param switchable whether the entry may have the member {@code enabled}
 */
public record ConfigSchema(List<Field<?>> fields, boolean switchable) {
  public ConfigSchema {
    fields = List.copyOf(fields);
    Set<String> names = new HashSet<>(Set.of("id", "enabled"));
    for (Field<?> field : fields) {
      if (!names.add(field.name())) {
        throw new IllegalArgumentException("two fields with the name " + field.name());
      }
    }
  }

  public static ConfigSchema of(Field<?>... fields) {
    return new ConfigSchema(List.of(fields), true);
  }

  /** Returns the JSON Schema of an entry of the plugin with this id. */
  public Json.Obj toJsonSchema(String id) {
    var properties = Json.object().put("id", Json.object().put("const", id).build());
    if (switchable) {
      properties.put("enabled", Json.object().put("type", "boolean").put("default", true).build());
    }
    for (Field<?> field : fields) {
      properties.put(field.name(), field.schema().with("description", Json.of(field.doc())));
    }
    return Json.object()
        .put("type", "object")
        .put("properties", properties.build())
        .put("required", Json.array(Json.of("id")))
        .build();
  }
}
