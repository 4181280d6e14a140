package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about Spring Boot")
class SpringPageTest {
  private static final Pattern COPIED =
      Pattern.compile("<!-- from (\\S+) -->\n```(?:java|yaml)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("```(?:java|yaml)\n");

  @Test
  @DisplayName("shows only code that is in the examples, which CI runs")
  void copied() throws IOException {
    String page = Files.readString(Modules.root().resolve("docs/spring.md"));
    var copies = COPIED.matcher(page).results().toList();
    assertThat(copies).hasSameSizeAs(CODE.matcher(page).results().toList()).hasSize(3);
    for (MatchResult copy : copies) {
      Path original = Modules.root().resolve(copy.group(1));
      assertThat(Files.readString(original)).as(copy.group(1)).contains(copy.group(2));
    }
  }

  @Test
  @DisplayName("names every property of the starter with its default")
  void properties() throws IOException {
    String page = Files.readString(Modules.root().resolve("docs/spring.md"));
    String metadata =
        Files.readString(
            Modules.root()
                .resolve("adapters/spring-boot-starter/src/main/resources/META-INF")
                .resolve("spring-configuration-metadata.json"));
    var property =
        Pattern.compile(
            "\"name\": \"((?:strowger|management)\\.[^\"]+)\"[^}]*?(?:\"defaultValue\": \"?([^\"\\n"
                + "]+)\"?\\s*)?}");
    var named = property.matcher(metadata).results().toList();
    assertThat(named).hasSizeGreaterThan(5);
    for (MatchResult each : named) {
      if (each.group(1).startsWith("strowger.")) {
        String value = each.group(2);
        assertThat(page)
            .contains("| `" + each.group(1) + "` | " + (value == null ? "|" : "`" + value + "` |"));
      }
    }
  }
}
