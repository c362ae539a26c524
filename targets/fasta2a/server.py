"""An agent of fasta2a 2.1.1 as its users write one: a Worker, the memory's broker and storage, JSON-RPC at /. PORT in the environment."""
import asyncio, base64, os, uuid
from contextlib import asynccontextmanager
import uvicorn
from fasta2a import FastA2A, Worker
from fasta2a.broker import InMemoryBroker
from fasta2a.schema import Artifact, Message, Part, TaskIdParams, TaskSendParams
from fasta2a.storage import InMemoryStorage

PORT = int(os.environ.get('PORT', 4121))


class WordsAgent(Worker[list]):
    async def run_task(self, params: TaskSendParams) -> None:
        task, context = params['id'], params['context_id']
        words = ' '.join(p['text'] for p in params['message']['parts'] if 'text' in p)
        text = words.lower()
        say = lambda w: Message(role='agent', parts=[Part(text=w)], message_id=str(uuid.uuid4()), task_id=task, context_id=context)

        async def move(state, message=None):
            await self.storage.update_task(task, state=state, new_messages=[message] if message else None)
            await self.publish_status(task, context, state, message)

        async def give(parts, name, ident=None, append=False, last=True, store=True):
            artifact = Artifact(artifact_id=ident or str(uuid.uuid4()), name=name, parts=parts)
            await self.publish_artifact(task, context, artifact, append=append, last_chunk=last)
            return artifact

        await move('working')
        if 'input' in text:
            return await self.storage.update_task(task, state='input-required', new_messages=[say('What else?')])
        if 'credentials' in text:
            return await self.storage.update_task(task, state='auth-required', new_messages=[say('Sign in, please.')])
        if 'reject' in text:
            return await self.storage.update_task(task, state='rejected', new_messages=[say('I will not do that.')])
        if 'fail' in text:
            raise RuntimeError('boom')
        if 'slow' in text:
            for n in range(8):
                await asyncio.sleep(0.5)
                await self.publish_status(task, context, 'working', say(f'step {n}'))
        if 'stream' in text:
            ident = str(uuid.uuid4())
            for n in range(4):
                await give([Part(text=f'chunk {n} ')], 'streamed', ident, append=n > 0, last=n == 3)
                await asyncio.sleep(0.1)
            whole = Artifact(artifact_id=ident, name='streamed', parts=[Part(text=f'chunk {n} ') for n in range(4)])
        elif 'files' in text:
            whole = await give([Part(raw=base64.b64encode(b'bytes').decode(), media_type='image/png', filename='dot.png')], 'file')
        elif 'link' in text:
            whole = await give([Part(url='https://example.com/dot.png', media_type='image/png', filename='dot.png')], 'link')
        elif 'data' in text:
            whole = await give([Part(data={'report': 'weekly', 'n': [1, 2.5, None]})], 'data')
        else:
            whole = await give([Part(text=f'echo: {words}')], 'result')
        await self.storage.update_task(task, state='completed', new_artifacts=[whole], new_messages=[say('Done.')])

    async def cancel_task(self, params: TaskIdParams) -> None:
        task = await self.storage.load_task(params['id'])
        if task and task['status']['state'] in ('submitted', 'working', 'input-required', 'auth-required'):
            await self.storage.update_task(params['id'], state='canceled')

    def build_message_history(self, history):
        return history

    def build_artifacts(self, result):
        return []


storage, broker = InMemoryStorage(), InMemoryBroker()
worker = WordsAgent(storage=storage, broker=broker)


@asynccontextmanager
async def lifespan(app: FastA2A):
    async with app.task_manager:
        async with worker.run():
            yield

app = FastA2A(storage=storage, broker=broker, name='Words', url=f'http://127.0.0.1:{PORT}/', description='An agent on fasta2a', lifespan=lifespan,
              skills=[{'id': 'echo', 'name': 'Echo', 'description': 'Says it again', 'tags': ['echo']}])
uvicorn.run(app, host='127.0.0.1', port=PORT, log_level='warning')
