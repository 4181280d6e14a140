package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A body that creates a batch")
class BatchDecoderProperties {
  @Provide
  Arbitrary<Json.Obj> bodies() {
    return BatchBodies.valid();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(BatchBodies.mutations());
  }

  @Property
  @Label("is accepted if it is valid, with every request unchanged")
  void accepted(@ForAll("bodies") Json.Obj valid) {
    Json.Obj body = TestJson.parse(valid);
    WholeBatch batch = WholeBatch.accept(body);
    assertThat(batch.head().endpoint().path()).isEqualTo(body.text("endpoint"));
    assertThat(batch.head().model()).hasToString(body.text("model"));
    var requests = Objects.requireNonNull(body.list("requests"));
    assertThat(batch.requests()).hasSameSizeAs(requests);
    for (int i = 0; i < batch.requests().size(); i++) {
      var request = (Json.Obj) requests.get(i);
      assertThat(batch.requests().get(i).customId()).isEqualTo(request.text("custom_id"));
      assertThat(batch.requests().get(i).body()).isSameAs(request.get("body"));
    }
  }

  @Property(tries = 400)
  @Label("that breaks one rule has one problem, with the member that breaks it")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    assertThat(
            WholeBatch.decode(
                BatchDecoder.MAX_REQUESTS, TestJson.parse(mutation.of(valid)), problems))
        .isNull();
    assertThat(problems.list())
        .singleElement()
        .satisfies(
            (Problem problem) -> {
              assertThat(problem.pointer()).hasToString(mutation.at());
              assertThat(problem.allowed()).isEqualTo(mutation.allowed());
            });
  }

  @Property
  @Label("may have its members in any order, except that endpoint and model precede requests")
  void order(@ForAll("bodies") Json.Obj valid, @ForAll Random random) {
    var order = new ArrayList<Integer>();
    for (int i = 0; i < valid.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    var shuffled = Json.object();
    order.forEach(i -> shuffled.put(valid.name(i), valid.value(i)));
    Json.Obj body = TestJson.parse(shuffled.build());
    boolean accepted =
        body.indexOf("requests") > body.indexOf("endpoint")
            && body.indexOf("requests") > body.indexOf("model");
    var problems = new Problems();
    assertThat(WholeBatch.decode(BatchDecoder.MAX_REQUESTS, body, problems) != null)
        .isEqualTo(accepted);
    assertThat(problems.count()).isEqualTo(accepted ? 0 : 1);
  }
}
