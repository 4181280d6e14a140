package io.strowger.plugins.tasks;

/**
 * The word table of {@link WordClassifier}; its format is described at {@link Vocabulary}. Specific
 * kinds come before general ones. Plugins fact sheet, section 2, defines some of the labels; the
 * others are this engine's own.
 */
final class TaskWords {
  private TaskWords() {}

  static final String TABLE =
      """
      code:debugging: bug=3 debug=4 traceback=4 stacktrace=4 stack_trace=4 exception=3 nullpointerexception=4 \
      segfault=4 crash=2 crashes=3 crashing=3 error=2 fails=2 failing=2 broken=2 fix=2 doesnt_work=2 not_working=2 \
      undefined=2 compile=2 #code=2
      code:review: code_review=5 review=2 pull_request=4 this_pr=4 my_code=2 this_code=2 code_smells=4 diff=2 #code=2
      code:refactoring: refactor=5 refactoring=5 clean_up=2 simplify=2 rename=2 extract_method=4 duplication=3 \
      this_class=2 this_function=1 readable=2 #code=2
      code:testing: unit_test=5 unit_tests=5 test_cases=4 tests=2 junit=4 pytest=4 mocking=3 coverage=2 \
      integration_test=4 #code=1
      code:explanation: explain_this=2 this_code=3 this_function=3 what_does=1 line_by=2 regex_do=3 regex=2 \
      snippet=2 #code=3
      code:sql: sql=4 query=2 postgres=3 mysql=3 sqlite=3 select=1 join=2 table=1 tables=1 index=1 schema=1
      code:devops: docker=4 dockerfile=4 kubernetes=4 k8s=4 terraform=4 helm=3 ci=2 pipeline=2 github_actions=4 \
      nginx=4 deploy=2 deployment=2 yaml=2 systemd=3 bash=2
      code:web: html=3 css=4 react=4 vue=4 frontend=3 webpage=3 landing_page=2 tailwind=4 component=2 button=1
      code:generation: code=2 function=2 implement=3 program=2 script=2 class=1 method=1 python=3 java=3 \
      javascript=3 typescript=3 rust=3 kotlin=3 golang=3 c++=3 c#=3 api=1 algorithm=2 write_a=1 library=1 #code=1
      agent:multi_step_planning: step_plan=4 plan=2 steps=2 milestones=3 roadmap=4 break_down=3 subtasks=4 \
      then=1 schedule=2 autonomously=3 workflow=2 itinerary=3 organize=2 #tools=1
      agent:web_research: search_the=3 browse=4 look_up=3 latest_news=4 find_sources=3 web=2 websites=2 \
      current_price=2 #tools=1
      agent:tool_use: call_the=2 use_the=2 tool=2 tools=2 execute=2 run_the=2 invoke=2 #tools=3
      vision:image_understanding: #image=6 picture=2 photo=2 image=2 screenshot=2
      audio:understanding: #audio=6 recording=2 transcribe=3
      document_qa: #file=5 according_to=2 attached=3 document=2 pdf=3 this_contract=2 page=1
      math: solve=2 equation=4 integral=5 derivative=5 prove=3 theorem=4 calculate=2 probability=3 matrix=3 \
      algebra=4 sum=1 triangle=3 polynomial=4 eigenvalues=5 modulo=3 x=1 percent=1
      logic_puzzle: puzzle=5 riddle=5 logic=2 liar=3 truth=1 knights=3 sudoku=5 deduce=3 clues=3
      data_analysis: dataset=4 csv=3 spreadsheet=3 correlation=4 regression=3 outliers=4 statistics=2 chart=2 \
      trend=2 trends=2 analyze=2 pandas=3 excel=3 sales_data=3
      data_extraction: extract=4 fields=2 json=2 parse=2 entities=3 key_value=3 structured=2 names_and=2 #json=3
      classification: classify=5 categorize=5 label=2 sentiment=4 spam=3 positive=2 negative=2 category=2 \
      which_category=3 #json=1
      translation: translate=6 translation=4 into_english=3 into_french=3 into_german=3 into_spanish=3 in_japanese=2
      summarization: summarize=6 summary=5 summarise=6 tl=3 tldr=5 key_points=4 bullet_points=2 main_points=3 \
      condense=4 shorten=1
      rewriting: rewrite=5 rephrase=6 paraphrase=6 proofread=6 grammar=4 reword=6 improve_this=2 tone=2 formal=2 \
      polish=3 edit=2
      email_drafting: email=4 reply_to=2 cover_letter=4 letter=2 draft=2 subject_line=3 dear=2 regards=2
      marketing_copy: marketing=4 slogan=5 tagline=5 ad=2 advertisement=4 seo=4 product_description=5 \
      landing_page=3 brand=3 campaign=3 tweet=3 linkedin=2 social_media=3
      creative_writing: story=4 poem=5 haiku=5 novel=3 lyrics=4 song=3 fiction=4 screenplay=4 limerick=5 \
      character=1 plot=2 once_upon=3 sonnet=5
      roleplay: roleplay=6 role_play=6 pretend=4 you_are=1 act_as=4 stay_in=3 in_character=4 dungeon=3
      customer_support: refund=4 my_order=4 order_number=4 customer=2 complaint=3 subscription=3 cancel=3 \
      warranty=4 delivery=2 shipping=3 my_account=3 support_ticket=4 agent=1 invoice=2
      research_report: research=3 report=3 literature=3 in_depth=3 comprehensive=3 sources=2 citations=3 \
      white_paper=4 compare=1 market_analysis=4 study=1 overview_of=2
      legal: legal=4 law=3 lawsuit=4 clause=4 contract=3 liability=4 gdpr=4 copyright=3 sue=4 tenant=3 landlord=3
      medical: symptoms=5 diagnosis=5 doctor=2 medication=4 dosage=4 patient=2 disease=3 treatment=2 headache=3 \
      fever=3 pain=2 blood_pressure=4
      finance: invest=4 investment=4 stock=3 stocks=4 portfolio=4 mortgage=4 interest_rate=4 tax=3 taxes=3 \
      budget=2 retirement=3 bond=3 bonds=3 etf=4
      education_tutoring: teach=4 tutor=5 homework=4 lesson=4 quiz=4 exam=3 student=2 students=2 learn=2 \
      explain_like=4 beginner=2 flashcards=5 curriculum=4
      brainstorming: brainstorm=6 ideas=4 suggest=2 suggestions=3 names_for=3 come_up=3 creative=1 gift=2
      qa_knowledge: who=2 what=1 when=2 where=2 why=1 how=1 which=1 what_is=2 who_was=2 how_many=2 capital=2 \
      explain=1 difference_between=2 history=1 define=2 #question=1
      general_chat: hello=3 hi=3 thanks=3 how_are=4 good_morning=4 hey=3
      """;
}
