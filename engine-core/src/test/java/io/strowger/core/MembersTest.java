package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.TestServer.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The members of an account")
class MembersTest {
  private static final String PATH = "/organization/members";

  @Test
  @DisplayName("are those of the configuration, in its order and in pages")
  void named() {
    try (var server =
        new TestServer(
            "'account':{'members':[{'id':'ann','role':'admin','email':'ann@acme.test',"
                + "'first_name':'Ann','last_name':'Lee'},{'id':'bob'}]}")) {
      Answer all = server.get(PATH);
      assertThat(all.status()).isEqualTo(200);
      assertThat(all.body())
          .isEqualTo(
              TestServer.json(
                  """
                  {'data':[{'id':'ann','first_name':'Ann','last_name':'Lee',
                            'email':'ann@acme.test','role':'org:admin'},
                           {'id':'bob','first_name':null,'last_name':null,'email':null,
                            'role':'org:member'}],'total_count':2}\
                  """));
      Answer page = server.get(PATH + "?offset=1&limit=1");
      assertThat(page.list()).extracting(member -> member.text("id")).containsExactly("bob");
      assertThat(server.get(PATH + "?limit=0").status()).isEqualTo(400);
      assertThat(server.send(TestServer.APP, "GET", PATH, "").status()).isEqualTo(403);
      server.gateway.reload(TestServer.config("'account':{'members':[{'id':'eve'}]}"));
      assertThat(server.get(PATH).list())
          .extracting(member -> member.text("id"))
          .containsExactly("eve");
    }
  }

  @Test
  @DisplayName("are only the owner if the configuration names no members")
  void owner() {
    try (var server = new TestServer("")) {
      assertThat(server.get(PATH).list())
          .extracting(member -> member.text("id") + " " + member.text("role"))
          .containsExactly("user_default org:admin");
    }
  }

  @Test
  @DisplayName("need a unique id, a known role and nonempty strings")
  void wrong() {
    assertThatThrownBy(
            () ->
                TestServer.config(
                    "'account':{'members':[{'id':'a'},{'id':'a'},{'role':'boss'},"
                        + "{'id':'c','email':''}]}"))
        .hasMessageContaining("/account/members/1/id")
        .hasMessageContaining("/account/members/2/id")
        .hasMessageContaining("/account/members/2/role")
        .hasMessageContaining("/account/members/3/email");
  }
}
