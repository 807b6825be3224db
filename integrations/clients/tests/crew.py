"""CrewAI, with a model that says what it is told to."""

import importlib.metadata
import os

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", OTEL_SDK_DISABLED="true", CREWAI_TRACING_ENABLED="false")
from common import fresh, ok
from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool
from mindfile.tools import functions

print("crewai", importlib.metadata.version("crewai"))


class Scripted(BaseLLM):
    def __init__(self, says):
        super().__init__(model="scripted")
        object.__setattr__(self, "script", list(says))
        object.__setattr__(self, "heard", [])

    def call(self, messages, *_, **__):
        self.heard.append(str(messages))
        return self.script.pop(0)

    def supports_function_calling(self):
        return False


with fresh() as memory:
    memory.retain("Ada keeps a heron", entities=["Ada"])
    model = Scripted([
        'Thought: look\nAction: search_memory\nAction Input: {"query": "who keeps a heron"}',
        "Thought: I now know the final answer\nFinal Answer: Ada",
    ])
    agent = Agent(role="keeper", goal="answer", backstory="b", llm=model, tools=[tool(one.__name__)(one) for one in functions(memory)])
    answer = Crew(agents=[agent], tasks=[Task(description="Who keeps a heron?", expected_output="a name", agent=agent)]).kickoff()
    assert str(answer) == "Ada" and "Ada keeps a heron" in model.heard[1], model.heard
    ok("CrewAI: an agent asks the memory")
