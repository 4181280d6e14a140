package io.strowger.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

@Label("For random documents")
class JacksonCodecProperties {
  private final JacksonCodec codec = new JacksonCodec();

  @Property
  @Label("every value that is read has exactly the bytes and the text that were written")
  void spansAreExact(@ForAll Random random) throws MalformedJsonException {
    var document = new RandomDocument(random);
    RandomDocument.Node expected = document.document();
    assertSame(codec.parse(document.bytes()), expected, document.bytes());
  }

  private static void assertSame(Json read, RandomDocument.Node expected, byte[] document) {
    String slice =
        new String(
            document, expected.start(), expected.end() - expected.start(), StandardCharsets.UTF_8);
    assertThat(new String(read.toBytes(), StandardCharsets.UTF_8)).isEqualTo(slice);
    if (expected.text() != null) {
      assertThat(((Json.Str) read).text()).isEqualTo(expected.text());
    }
    if (read instanceof Json.Arr items) {
      assertThat(items).hasSize(expected.children().size());
      for (int i = 0; i < items.size(); i++) {
        assertSame(items.get(i), expected.children().get(i), document);
      }
    } else if (read instanceof Json.Obj object) {
      assertThat(object.size()).isEqualTo(expected.children().size());
      for (int i = 0; i < object.size(); i++) {
        assertThat(object.name(i)).isEqualTo(expected.names().get(i));
        assertSame(object.value(i), expected.children().get(i), document);
      }
    } else {
      assertThat(expected.children()).isEmpty();
    }
  }

  @Property
  @Label("the SPI's reader of text that may be JSON reads the same value")
  void spiReaderAgrees(@ForAll Random random) throws MalformedJsonException {
    var document = new RandomDocument(random);
    document.document();
    Json read = Json.parseOrNull(new String(document.bytes(), StandardCharsets.UTF_8));
    assertThat(read).isEqualTo(codec.parse(document.bytes()));
    assertThat(read).hasToString(codec.parse(document.bytes()).toString());
  }

  @Property
  @Label("a value that was detached, written and read again is equal to the original")
  void detachedIsEqual(@ForAll Random random) throws MalformedJsonException {
    var document = new RandomDocument(random);
    document.document();
    Json read = codec.parse(document.bytes());
    assertThat(codec.parse(read.detached().toBytes())).isEqualTo(read);
  }

  @Property
  @Label(
      "changing one byte leads to a value or to MalformedJsonException, never to another exception")
  void damage(@ForAll Random random) {
    var document = new RandomDocument(random);
    document.document();
    byte[] damaged = document.bytes();
    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    byte[] kept = damaged.clone();
    try {
      Json read = codec.parse(damaged);
      assertThat(new String(kept, StandardCharsets.UTF_8).strip())
          .isEqualTo(new String(read.toBytes(), StandardCharsets.UTF_8));
    } catch (MalformedJsonException refused) {
      assertThat(refused.getMessage())
          .isNotEmpty()
          .doesNotContain("Exception")
          .doesNotMatch("is not JSON at line \\d+, column \\d+"); // the message gives a reason, too
    }
  }

  @Property
  @Label("the strict UTF-8 check agrees with the JDK's decoder")
  void utf8AgreesWithTheJdk(@ForAll byte[] bytes) {
    assertThat(Utf8.firstFault(bytes) < 0).isEqualTo(jdkAccepts(bytes));
  }

  private static boolean jdkAccepts(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes));
      return true;
    } catch (java.nio.charset.CharacterCodingException refused) {
      return false;
    }
  }
}
