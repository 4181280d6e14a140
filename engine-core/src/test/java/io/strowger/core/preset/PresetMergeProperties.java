package io.strowger.core.preset;

import static io.strowger.core.preset.TestPresets.reportedPlace;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.ResourceWords;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("Merging a preset")
class PresetMergeProperties {
  @Property
  @Label("that is empty leaves the request unchanged, byte for byte")
  void nothing(@ForAll("requests") Json.Obj request, @ForAll("dialects") Dialect dialect) {
    Json.Obj sent = ResourceWords.sent(request);
    MergedRequest mergedRequest =
        PresetMerge.merge(new Preset("p", Json.Obj.EMPTY, null), sent, dialect);
    assertThat(mergedRequest.document()).isSameAs(sent);
  }

  @Property
  @Label("keeps every member of the request except tools and prompts")
  void requestWins(
      @ForAll("presets") Preset preset,
      @ForAll("requests") Json.Obj request,
      @ForAll("dialects") Dialect dialect) {
    Json.Obj document = PresetMerge.merge(preset, request, dialect).document();
    for (int i = 0; i < request.size(); i++) {
      String name = request.name(i);
      if (!name.equals("tools") && !isPrompt(name)) {
        assertThat(document.get(name)).isSameAs(request.value(i));
      }
    }
  }

  @Property
  @Label("loses no member and adds none")
  void members(
      @ForAll("presets") Preset preset,
      @ForAll("requests") Json.Obj request,
      @ForAll("dialects") Dialect dialect) {
    Json.Obj document = PresetMerge.merge(preset, request, dialect).document();
    for (int i = 0; i < document.size(); i++) {
      String name = document.name(i);
      assertThat(request.has(name) || preset.config().has(name) || isPrompt(name)).isTrue();
    }
    for (int i = 0; i < request.size(); i++) {
      assertThat(document.has(request.name(i))).isTrue();
    }
  }

  @Property
  @Label("maps the position of every tool and message back to its position in the request")
  void placesMapBack(
      @ForAll("presets") Preset preset,
      @ForAll("requests") Json.Obj request,
      @ForAll("dialects") Dialect dialect) {
    MergedRequest mergedRequest = PresetMerge.merge(preset, request, dialect);
    for (String list : new String[] {"tools", "messages", "system"}) {
      Json.Arr items = mergedRequest.document().list(list);
      for (int i = 0; items != null && i < items.size(); i++) {
        String place = reportedPlace(mergedRequest, "/" + list + "/" + i);
        if (!place.startsWith("preset ")) {
          int index = Integer.parseInt(place.substring(list.length() + 2));
          Json.Arr requestTools = Objects.requireNonNull(request.list(list));
          assertThat(items.get(i)).isSameAs(requestTools.get(index));
        }
      }
    }
  }

  @Property
  @Label("keeps every tool of the request, each once")
  void tools(@ForAll("presets") Preset preset, @ForAll("requests") Json.Obj request) {
    Json.Arr requestTools = request.list("tools");
    Json.Arr all = PresetMerge.merge(preset, request, Dialect.CHAT).document().list("tools");
    for (Json tool : requestTools == null ? Json.array() : requestTools) {
      assertThat(Objects.requireNonNull(all).stream().filter(item -> item == tool)).hasSize(1);
    }
  }

  private static boolean isPrompt(String name) {
    return name.equals("messages") || name.equals("system") || name.equals("instructions");
  }

  @Provide
  Arbitrary<Dialect> dialects() {
    return Arbitraries.of(Dialect.CHAT, Dialect.MESSAGES, Dialect.RESPONSES);
  }

  @Provide
  Arbitrary<Preset> presets() {
    return Arbitraries.randomValue(
        random -> {
          Json.Obj config =
              object(
                  random,
                  "model",
                  "temperature",
                  "top_p",
                  "max_completion_tokens",
                  "cache_enabled");
          return new Preset("writer", config, random.nextBoolean() ? "be brief" : null);
        });
  }

  @Provide
  Arbitrary<Json.Obj> requests() {
    return Arbitraries.randomValue(
        random ->
            object(
                random,
                "model",
                "temperature",
                "max_tokens",
                "x",
                "messages",
                "system",
                "instructions"));
  }

  private static Json.Obj object(Random random, String... names) {
    Json.Obj.Builder object = Json.object();
    for (String name : names) {
      if (random.nextBoolean()) {
        object.put(name, value(random));
      }
    }
    if (random.nextInt(4) > 0) {
      object.put("tools", tools(random));
    }
    return object.build();
  }

  private static Json value(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Json.NULL;
      case 1 -> Json.of("text " + random.nextInt(9));
      case 2 -> Json.array(Json.of(random.nextInt()), Json.of("block"));
      default -> Json.of(random.nextInt());
    };
  }

  private static Json.Arr tools(Random random) {
    String[] types = {"web_search", "router:web_search", "router:subagent", "router:datetime"};
    Json[] tools = new Json[random.nextInt(5)];
    for (int i = 0; i < tools.length; i++) {
      Json.Obj function = Json.object().put("name", "f" + random.nextInt(3)).build();
      tools[i] =
          random.nextBoolean()
              ? Json.object().put("type", types[random.nextInt(types.length)]).build()
              : Json.object().put("type", "function").put("function", function).build();
    }
    return Json.array(tools);
  }
}
