// The question before work is ended or thrown away. Its first button, which has the focus, leaves everything as it is.
import { Button, Group, Modal } from '@mantine/core'
import { answer } from '../../store/base/questions'
import { useStore } from '../../store/store'

export function QuestionDialog() {
  const opened = useStore((state) => state.ui.dialog === 'question')
  const question = useStore((state) => state.ui.question)
  if (!question) return null
  return (
    <Modal
      opened={opened}
      onClose={() => answer(false)}
      title={question.title}
      size={question.other ? 500 : 'sm'}
      data-testid="question"
    >
      <p className="note">{question.text}</p>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => answer(false)} data-autofocus data-testid="question-no">
          {question.no}
        </Button>
        {question.other && (
          <Button variant="default" onClick={() => answer('other')} data-testid="question-other">
            {question.other.label}
          </Button>
        )}
        <Button color="red" onClick={() => answer(true)} data-testid="question-yes">
          {question.yes}
        </Button>
      </Group>
    </Modal>
  )
}
