package io.strowger.core.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.flow.Delivery;
import io.strowger.core.flow.Replies;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.tck.Given;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Router metadata")
class RouterMetadataTest {
  private static final Endpoint LARGE = Given.endpoint("alpha", "acme/large", "1");
  private static final Endpoint FREE = Given.endpoint("alpha", "acme/tiny:free", "0");
  private static final Catalog CATALOG =
      Catalog.builder("test")
          .add(ModelInfo.builder("acme/large").aliases(List.of("acme/big")).build(), List.of(LARGE))
          .add(ModelInfo.builder("acme/tiny:free").build(), List.of(FREE))
          .build();

  private static String text(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @Test
  @DisplayName("tells what was asked for, what was there, what was tried and who answered")
  void delivered() {
    assertThat(text(RouterMetadata.of(Replies.delivery("acme/large", Replies.alpha(), 2))))
        .isEqualTo(
            "{'requested':'acme/large','strategy':'direct','region':null,"
                + "'summary':'available=2, selected=alpha','attempt':2,'is_byok':false,"
                + "'endpoints':{'total':3,'available':[{'provider':'beta','model':'acme/large',"
                + "'selected':false},{'provider':'alpha','model':'acme/large','selected':true}]},"
                + "'attempts':[{'provider':'beta','model':'acme/large','status':503},"
                + "{'provider':'alpha','model':'acme/large','status':200}],"
                + "'generation_time':12}");
  }

  @Test
  @DisplayName("selects nobody when nobody answered")
  void refused() {
    Json.Obj metadata = RouterMetadata.of(Replies.delivery("acme/large", null, 0));
    assertThat(metadata.text("summary")).isEqualTo("available=2");
    assertThat(text(metadata)).doesNotContain("'selected':true").contains("'attempt':0");
  }

  @Test
  @DisplayName("has its required members before anything was decided")
  void undecided() {
    var delivery = new Delivery("acme/large", CATALOG, null, List.of(), null, 0, -1);
    assertThat(text(RouterMetadata.of(delivery)))
        .isEqualTo(
            "{'requested':'acme/large','strategy':'direct','region':null,'summary':'available=0',"
                + "'attempt':0,'is_byok':false,'endpoints':{'total':0,'available':[]}}");
  }

  @ParameterizedTest
  @CsvSource({
    "acme/large,large,direct", "ACME/Large,large,direct", "acme/large:nitro,large,direct",
    "acme/big,large,alias", "acme/tiny:free,free,direct", "acme/tiny:free,large,fallback",
    "acme/big,free,fallback", "nobody/knows,large,fallback", "acme/big,none,alias",
    "nobody/knows,none,direct", "'',large,direct"
  })
  @DisplayName("names the strategy by what was asked for and what answered")
  void strategy(String requested, String by, String strategy) {
    @Nullable Endpoint endpoint = by.equals("large") ? LARGE : by.equals("free") ? FREE : null;
    var delivery = new Delivery(requested, CATALOG, null, List.of(), endpoint, 1, -1);
    assertThat(RouterMetadata.of(delivery).text("strategy")).isEqualTo(strategy);
  }
}
