package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.good;
import static io.strowger.core.resource.ResourceWords.pointers;
import static io.strowger.core.resource.ResourceWords.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.ResourceWords.Broken;
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
  @Label("is kept with the meaning it was sent with")
  void created(@ForAll("creates") Json.Obj body) {
    assertThat(TYPE.body(good(TYPE::create, sent(body)))).isEqualTo(KeyBodies.stored(body));
  }

  @Property
  @Label("that changes one sets what it says and nothing else")
  void updated(@ForAll("updates") Json.Obj body) {
    assertThat(good(TYPE::update, sent(body)).members()).isEqualTo(KeyBodies.changed(body));
  }

  @Property(tries = 50)
  @Label("with one rule broken has one problem, in that place")
  void brokenCreate(@ForAll("creates") Json.Obj body) {
    for (Broken broken : KeyBodies.brokenCreates(body)) {
      assertThat(pointers(TYPE::create, sent(broken.spoiled())))
          .as("%s", broken.spoiled())
          .containsExactly(broken.pointer());
    }
  }

  @Property(tries = 50)
  @Label("that changes one, with one rule broken, has one problem, in that place")
  void brokenUpdate(@ForAll("updates") Json.Obj body) {
    for (Broken broken : KeyBodies.brokenUpdates(body)) {
      assertThat(pointers(TYPE::update, sent(broken.spoiled())))
          .as("%s", broken.spoiled())
          .containsExactly(broken.pointer());
    }
  }

  @Property
  @Label("leaves the partner's key in nothing of what was read")
  void secret(@ForAll("creates") Json.Obj body) {
    Json.Obj external = body.object("external");
    if (external != null && external.text("api_key") instanceof String secret) {
      ResourceType.Values read = good(TYPE::create, body);
      String kept = new String(read.members().toBytes(), StandardCharsets.UTF_8);
      assertThat(kept).contains("api_key_sha256").doesNotContain(secret);
      assertThat(read.toString()).doesNotContain(secret);
    }
  }

  @Property
  @Label("may have members nobody knows")
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
