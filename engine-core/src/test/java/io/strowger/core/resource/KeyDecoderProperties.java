package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.good;
import static io.strowger.core.resource.ResourceWords.pointers;
import static io.strowger.core.resource.ResourceWords.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.ResourceWords.Broken;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import java.util.Objects;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;

@Label("The body of a key")
class KeyDecoderProperties {
  private static final KeyDecoder DECODER = new KeyDecoder();
  private static final RecursiveComparisonConfiguration SECRETS_TOO =
      RecursiveComparisonConfiguration.builder()
          .withComparatorForType(
              (one, other) -> one.reveal().compareTo(other.reveal()), Credential.class)
          .build();

  @Property
  @Label("means the same after it was written and read")
  void created(@ForAll("creates") KeyCreate key) {
    assertThat(good(DECODER::create, sent(KeyBodies.document(key))))
        .usingRecursiveComparison(SECRETS_TOO)
        .isEqualTo(key);
  }

  @Property
  @Label("that changes one means the same after it was written and read")
  void updated(@ForAll("updates") KeyUpdate update) {
    assertThat(good(DECODER::update, sent(KeyBodies.document(update)))).isEqualTo(update);
  }

  @Property(tries = 50)
  @Label("with one rule broken has one problem, in that place")
  void brokenCreate(@ForAll("creates") KeyCreate key) {
    for (Broken broken : KeyBodies.brokenCreates(KeyBodies.document(key))) {
      assertThat(pointers(DECODER::create, sent(broken.spoiled())))
          .as("%s", broken.spoiled())
          .containsExactly(broken.pointer());
    }
  }

  @Property(tries = 50)
  @Label("that changes one, with one rule broken, has one problem, in that place")
  void brokenUpdate(@ForAll("updates") KeyUpdate update) {
    for (Broken broken : KeyBodies.brokenUpdates(KeyBodies.document(update))) {
      assertThat(pointers(DECODER::update, sent(broken.spoiled())))
          .as("%s", broken.spoiled())
          .containsExactly(broken.pointer());
    }
  }

  @Property
  @Label("shows the partner's key in no text of what was read")
  void secret(@ForAll("creates") KeyCreate key) {
    ExternalUser external = key.external();
    if (external != null && external.apiKey() instanceof Credential secret) {
      KeyCreate read = good(DECODER::create, KeyBodies.document(key));
      assertThat(Objects.requireNonNull(read.external()).apiKey()).isNotNull();
      assertThat(read.toString()).doesNotContain(secret.reveal());
    }
  }

  @Property
  @Label("may have members nobody knows")
  void unknown(@ForAll("creates") KeyCreate key) {
    Json.Obj more = KeyBodies.document(key).with("colour", Json.of("red"));
    assertThat(pointers(DECODER::create, more)).isEmpty();
  }

  @Provide
  Arbitrary<KeyCreate> creates() {
    return KeyBodies.creates();
  }

  @Provide
  Arbitrary<KeyUpdate> updates() {
    return KeyBodies.updates();
  }
}
