package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.pointers;
import static io.strowger.core.resource.ResourceWords.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.ResourceWords.BrokenBody;
import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("The body of a key")
class KeyTableProperties {
  private static final ResourceType TYPE = KeyTable.TYPE;

  @Property
  @Label("keeps its meaning when it is stored")
  void created(@ForAll("creates") Json.Obj body) {
    assertThat(TYPE.body(decode(TYPE::create, sent(body)))).isEqualTo(KeyBodies.stored(body));
  }

  @Property
  @Label("that changes a key sets its own members and no others")
  void updated(@ForAll("updates") Json.Obj body) {
    assertThat(decode(TYPE::update, sent(body)).members()).isEqualTo(KeyBodies.changed(body));
  }

  @Property(tries = 50)
  @Label("that breaks one rule has exactly one problem, at that place")
  void brokenCreate(@ForAll("creates") Json.Obj body) {
    for (BrokenBody broken : KeyBodies.brokenCreates(body)) {
      assertThat(pointers(TYPE::create, sent(broken.body())))
          .as("%s", broken.body())
          .containsExactly(broken.pointer());
    }
  }

  @Property(tries = 50)
  @Label("that changes a key and breaks one rule has exactly one problem, at that place")
  void brokenUpdate(@ForAll("updates") Json.Obj body) {
    for (BrokenBody broken : KeyBodies.brokenUpdates(body)) {
      assertThat(pointers(TYPE::update, sent(broken.body())))
          .as("%s", broken.body())
          .containsExactly(broken.pointer());
    }
  }

  @Property
  @Label("does not keep the partner's key in what was decoded")
  void secret(@ForAll("creates") Json.Obj body) {
    Json.Obj external = body.object("external");
    if (external != null && external.text("api_key") instanceof String secret) {
      ResourceType.Values read = decode(TYPE::create, body);
      String stored = new String(read.members().toBytes(), StandardCharsets.UTF_8);
      assertThat(stored).contains("api_key_sha256").doesNotContain(secret);
      assertThat(read.toString()).doesNotContain(secret);
    }
  }

  @Property
  @Label("may have unknown members")
  void unknown(@ForAll("creates") Json.Obj body) {
    assertThat(pointers(TYPE::create, body.with("colour", Json.of("red")))).isEmpty();
  }

  @Provide
  Arbitrary<Json.Obj> creates() {
    return KeyBodies.creates();
  }

  @Provide
  Arbitrary<Json.Obj> updates() {
    return KeyBodies.updates();
  }
}
