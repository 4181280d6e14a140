package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.resource.ResourceRules.JSON_FLAG;
import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.json;
import static io.strowger.core.resource.ResourceWords.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.decode.Problems;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of a resource type")
class ResourceTypeTest {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");

  /** A table with every kind of line. */
  private static final ResourceType TYPE =
      ResourceType.table()
          .fixed("kind", ResourceRules.json(text(1, 9)))
          .fixed("old", JSON_FLAG, Json.TRUE)
          .fixedIfGiven("owner", ResourceRules.json(text(1, 9)))
          .secret("key", ResourceRules.json(text(1, 9)))
          .required("name", ResourceRules.json(text(1, 9)))
          .workspace(string().orNull())
          .hidden("disabled", JSON_FLAG, JSON_FLAG)
          .optional("flag", JSON_FLAG, Json.FALSE)
          .clearable("note", ResourceRules.json(text(1, 9)))
          .generated("label", Json.of("none"))
          .redactedInAudit("note")
          .internal("inside")
          .storedFirst("label", "inside", ResourceType.SEALED)
          .build();

  private static Values valuesOf(String more) {
    return decode(TYPE::create, json("{'kind':'k','key':'s3cret','name':'n'" + more + "}"));
  }

  private static Document document(String more) {
    Values values =
        valuesOf(more)
            .with("label", Json.of("made"))
            .with("inside", Json.of(1))
            .with(ResourceType.SEALED, Json.of("xyz"));
    return TYPE.withVisibility(Document.create("thing", "id", "w", AT, TYPE.body(values)), values);
  }

  private static Values change(String body) {
    return decode(TYPE::update, json(body));
  }

  @Test
  @DisplayName("decodes a body, fills in defaults and separates the secret")
  void creates() {
    Values values = valuesOf(",'colour':'red','workspace_id':'w'");
    assertThat(values.members())
        .isEqualTo(
            json("{'kind':'k','old':true,'name':'n','disabled':false,'flag':false,'note':null}"));
    assertThat(Objects.requireNonNull(values.secret()).reveal()).isEqualTo("s3cret");
    assertThat(values.toString()).doesNotContain("s3cret").doesNotContain("k");
  }

  @Test
  @DisplayName("reports missing members in its own order, after wrong ones in the body's order")
  void wrong() {
    assertThat(problems(TYPE::create, json("{'workspace_id':5,'note':5,'flag':null}")))
        .containsExactly(
            "/workspace_id: must be a string, was 5",
            "/note: must be a string of 1 to 9 characters, was 5",
            "/flag: must be true or false, was null",
            "/kind: is required",
            "/key: is required",
            "/name: is required");
    assertThat(problems(TYPE::create, json("{'kind':'k','name':'n','key':5}")))
        .containsExactly("/key: must be a string of 1 to 9 characters");
  }

  @Test
  @DisplayName("builds the body of a document, beginning with the members that are stored first")
  void documents() {
    Document original = document(",'disabled':true,'owner':'o'");
    assertThat(original.body())
        .isEqualTo(
            json(
                "{'label':'made','inside':1,'sealed':'xyz','kind':'k','old':true,'owner':'o',"
                    + "'name':'n','flag':false,'note':null}"));
    assertThat(original.hidden()).isTrue();
    assertThat(document("").hidden()).isFalse();
    assertThat(document("").body().has("owner")).isFalse();
  }

  @Test
  @DisplayName("writes the members in its order, without the secret and internal ones")
  void shows() {
    assertThat(TYPE.toJson(document("")))
        .isEqualTo(
            json(
                "{'id':'id','kind':'k','old':true,'owner':null,'name':'n','workspace_id':'w',"
                    + "'disabled':false,'flag':false,'note':null,'label':'made',"
                    + "'created_at':'2026-11-21T12:00:00Z','updated_at':null}"));
    Document bare = Document.create("thing", "id", "", AT, Json.Obj.EMPTY);
    assertThat(TYPE.toJson(bare).get("workspace_id")).isEqualTo(Json.NULL);
    assertThat(TYPE.toJson(bare).text("label")).isEqualTo("none");
  }

  @Test
  @DisplayName("changes the members of a body, clears those that are null and leaves the others")
  void changes() {
    Document original = document(",'note':'a','flag':true,'disabled':true");
    Document next = TYPE.next(original, AT.plusSeconds(1), change("{'note':null,'kind':'x'}"));
    assertThat(next.body()).isEqualTo(original.body().with("note", Json.NULL));
    assertThat(next.hidden()).isTrue();
    assertThat(next.version()).isEqualTo(2);
    assertThat(TYPE.toJson(next).text("updated_at")).isEqualTo("2026-11-21T12:00:01Z");
    assertThat(TYPE.next(original, AT, change("{'disabled':false}")).hidden()).isFalse();
    assertThat(change("{'key':'other'}").secret())
        .extracting(Credential::reveal)
        .isEqualTo("other");
  }

  @Test
  @DisplayName("refuses a change without members, or of fixed members only")
  void nothing() {
    for (String body : new String[] {"{}", "{'colour':1}", "{'kind':'x','workspace_id':'w'}"}) {
      assertThatThrownBy(() -> TYPE.update(json(body), new Problems()))
          .isInstanceOf(GatewayException.class)
          .hasMessageEndingWith(": No update fields provided");
    }
  }

  @Test
  @DisplayName("that is sparse stores only the members that are given")
  void sparse() {
    ResourceType sparse =
        ResourceType.table()
            .clearable("a", JSON_FLAG)
            .optional("b", JSON_FLAG, Json.FALSE)
            .sparse()
            .build();
    Json.Obj body = sparse.body(decode(sparse::create, json("{'a':true}")));
    assertThat(body).isEqualTo(json("{'a':true}"));
    assertThat(sparse.applyTo(body, decode(sparse::update, json("{'a':null,'b':true}"))))
        .isEqualTo(json("{'b':true}"));
    Document stored = Document.create("thing", "id", "", AT, body);
    assertThat(sparse.toJson(stored).get("b")).isEqualTo(Json.FALSE);
  }

  @Test
  @DisplayName("tells the audit log which values may be shown")
  void membersOfTheAuditLog() {
    assertThat(TYPE.isAuditValueShown("name")).isTrue();
    assertThat(TYPE.isAuditValueShown("note")).isFalse();
    assertThat(TYPE.isAuditValueShown("colour")).isFalse();
    assertThat(TYPE.isInternal("inside")).isTrue();
    assertThat(TYPE.isInternal(ResourceType.SEALED)).isTrue();
    assertThat(TYPE.secretMember()).isEqualTo("key");
    assertThat(TYPE.hiddenMember()).isEqualTo("disabled");
  }

  @Test
  @DisplayName("refuses two lines with the same name")
  void twice() {
    assertThatThrownBy(
            () -> ResourceType.table().generated("a", Json.NULL).required("a", JSON_FLAG).build())
        .hasMessage("two lines for a");
  }
}
