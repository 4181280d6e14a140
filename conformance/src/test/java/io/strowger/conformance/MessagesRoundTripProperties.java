package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.messages.MessagesBodies;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.messages.MessagesRequestWriter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

@Label("A messages body that is read and written again")
class MessagesRoundTripProperties {
  private static final JsonCodec CODEC = new JacksonCodec();
  private static final MessagesDecoder DECODER = new MessagesDecoder((entries, at, problems) -> {});
  private static final MessagesRequestWriter WRITER = new MessagesRequestWriter(CODEC);

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return MessagesBodies.valid();
  }

  private static InferenceRequest read(byte[] document) throws JsonCodec.MalformedJsonException {
    var body = (Json.Obj) CODEC.parse(document);
    var problems = new Problems();
    return problems.requireValid(DECODER.decode(body, problems));
  }

  @Property(tries = 200)
  @Label("has the same members in the same order, each with its very bytes")
  void unchanged(@ForAll("bodies") Json.Obj body, @ForAll Random random) throws Exception {
    InferenceRequest request =
        read(new Spaced(random).write(body).getBytes(StandardCharsets.UTF_8));
    Json.Obj members = request.members();
    Json.Obj again = WRITER.document(request);
    assertThat(again.size()).isEqualTo(members.size());
    for (int i = 0; i < members.size(); i++) {
      assertThat(again.name(i)).isEqualTo(members.name(i));
      assertThat(again.value(i).toBytes()).isEqualTo(members.value(i).toBytes());
    }
  }

  @Property(tries = 200)
  @Label("says the same when everything in it is made anew")
  void rebuilt(@ForAll("bodies") Json.Obj body) throws Exception {
    InferenceRequest request = read(body.toBytes());
    InferenceRequest bare = Bare.of(request);
    assertThat(bare.messages()).allMatch(message -> message.source() == null);
    InferenceRequest again = read(WRITER.document(bare).toBytes());
    assertSame(bare.instructions(), Bare.ofNullable(again.instructions()));
    assertThat(again.messages()).hasSameSizeAs(bare.messages());
    for (int i = 0; i < bare.messages().size(); i++) {
      assertSame(bare.messages().get(i), Bare.of(again.messages().get(i)));
    }
    assertThat(Bare.of(again).tools()).isEqualTo(bare.tools());
    assertThat(again.models()).isEqualTo(request.models());
    assertThat(again.plugins()).isEqualTo(request.plugins());
    assertThat(again.parameters()).isEqualTo(request.parameters());
    assertThat(again.members().without("messages").without("system").without("tools"))
        .isEqualTo(request.members().without("messages").without("system").without("tools"));
  }

  private static void assertSame(@Nullable Message before, @Nullable Message after) {
    assertThat(after == null).isEqualTo(before == null);
    if (before != null && after != null) {
      assertThat(after.role()).isEqualTo(before.role());
      assertThat(after.content()).isEqualTo(before.content());
      assertThat(after.parts()).isEqualTo(before.parts());
      assertThat(after.extras()).isEqualTo(before.extras());
    }
  }
}
