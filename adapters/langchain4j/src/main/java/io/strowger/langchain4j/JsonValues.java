package io.strowger.langchain4j;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the maps by which LangChain4j represents JSON Schemas to JSON. */
final class JsonValues {
  private JsonValues() {}

  static Json.Obj object(Map<?, ?> members) {
    Json.Obj.Builder object = Json.object();
    members.forEach((name, value) -> object.put(String.valueOf(name), value(value)));
    return object.build();
  }

  private static Json value(@Nullable Object value) {
    return switch (value) {
      case null -> Json.NULL;
      case Map<?, ?> members -> object(members);
      case List<?> items -> Json.array(items.stream().map(JsonValues::value).toList());
      case Object[] items -> Json.array(Arrays.stream(items).map(JsonValues::value).toList());
      case Boolean flag -> Json.of(flag);
      case Number number -> Json.of(new BigDecimal(number.toString()));
      default -> Json.of(value.toString());
    };
  }
}
