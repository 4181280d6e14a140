package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.House.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The members of an account")
class MembersTest {
  private static final String PATH = "/organization/members";

  @Test
  @DisplayName("are those of the configuration, in its order and in parts")
  void named() {
    try (var house =
        new House(
            "'account':{'members':[{'id':'ann','role':'admin','email':'ann@acme.test',"
                + "'first_name':'Ann','last_name':'Lee'},{'id':'bob'}]}")) {
      Answer all = house.get(PATH);
      assertThat(all.status()).isEqualTo(200);
      assertThat(all.body())
          .isEqualTo(
              House.json(
                  """
                  {'data':[{'id':'ann','first_name':'Ann','last_name':'Lee',
                            'email':'ann@acme.test','role':'org:admin'},
                           {'id':'bob','first_name':null,'last_name':null,'email':null,
                            'role':'org:member'}],'total_count':2}\
                  """));
      Answer part = house.get(PATH + "?offset=1&limit=1");
      assertThat(part.list()).extracting(one -> one.text("id")).containsExactly("bob");
      assertThat(house.get(PATH + "?limit=0").status()).isEqualTo(400);
      assertThat(house.send(House.APP, "GET", PATH, "").status()).isEqualTo(403);
      house.gateway.reload(House.read("'account':{'members':[{'id':'eve'}]}"));
      assertThat(house.get(PATH).list()).extracting(one -> one.text("id")).containsExactly("eve");
    }
  }

  @Test
  @DisplayName("are the owner alone, where the configuration names nobody")
  void owner() {
    try (var house = new House("")) {
      assertThat(house.get(PATH).list())
          .extracting(one -> one.text("id") + " " + one.text("role"))
          .containsExactly("user_default org:admin");
    }
  }

  @Test
  @DisplayName("have an id each, a role there is, and names that are texts")
  void wrong() {
    assertThatThrownBy(
            () ->
                House.read(
                    "'account':{'members':[{'id':'a'},{'id':'a'},{'role':'boss'},"
                        + "{'id':'c','email':''}]}"))
        .hasMessageContaining("/account/members/1/id")
        .hasMessageContaining("/account/members/2/id")
        .hasMessageContaining("/account/members/2/role")
        .hasMessageContaining("/account/members/3/email");
  }
}
