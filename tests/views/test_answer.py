from tests.core.story import answered, done


def test_an_answer_names_the_first_stale_steps_and_counts_all():
    answer = answered(*(done(f"step {number}") for number in range(1, 102)), done("A", number=1))

    assert answer.stale_steps == list(range(2, 52))
    assert answer.next_actions[0] == (
        "steps 2, 3, 4, 5, 6, 7, 8, 9, … (100 in all) are stale, built on the old step 1: "
        "run them again, or `%wfnb confirm 2 3 4 5 6 7 8 9`"
    )


def test_an_answer_names_one_stale_step_in_the_singular():
    answer = answered(done("a"), done("b"), done("A", number=1))

    assert answer.next_actions == [
        "step 2 is stale, built on the old step 1: run it again, or `%wfnb confirm 2`"
    ]
