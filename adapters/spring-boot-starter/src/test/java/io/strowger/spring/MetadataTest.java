package io.strowger.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

@DisplayName("The metadata of the properties")
class MetadataTest {
  private static final String FILE = "spring-configuration-metadata.json";

  @Test
  @DisplayName("has each property with its type, its default and a description")
  void complete() throws Exception {
    Map<String, String> documented = new TreeMap<>();
    try (InputStream in = Files.newInputStream(Path.of("src/main/resources/META-INF/" + FILE))) {
      var document = (Json.Obj) new JacksonCodec().parse(in.readAllBytes());
      var properties = (Json.Arr) Objects.requireNonNull(document.get("properties"));
      for (int i = 0; i < properties.size(); i++) {
        var property = (Json.Obj) properties.get(i);
        assertThat(text(property, "description")).endsWith(".");
        if (text(property, "name").startsWith("strowger.")) {
          documented.put(
              text(property, "name"),
              text(property, "type") + " " + text(property, "defaultValue"));
        }
      }
    }
    Map<String, String> bound = new TreeMap<>();
    for (RecordComponent each : StrowgerProperties.class.getRecordComponents()) {
      String name = each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      String type =
          each.getType() == boolean.class ? Boolean.class.getName() : each.getType().getName();
      bound.put("strowger." + name, type + " " + defaultOf(each.getName()));
    }
    assertThat(documented).isEqualTo(bound);
  }

  private static String defaultOf(String component) {
    return Arrays.stream(StrowgerProperties.class.getDeclaredConstructors()[0].getParameters())
        .filter(parameter -> parameter.getName().equals(component))
        .map(parameter -> parameter.getAnnotation(DefaultValue.class))
        .filter(Objects::nonNull)
        .map(value -> value.value()[0])
        .findFirst()
        .orElse("");
  }

  private static String text(Json.Obj object, String name) {
    return switch (object.get(name)) {
      case null -> "";
      case Json.Str str -> str.text();
      case Json value -> value.toString();
    };
  }
}
